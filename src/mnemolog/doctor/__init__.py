"""What can be wrong with a memory and around it: one check for each thing, findings as values."""
