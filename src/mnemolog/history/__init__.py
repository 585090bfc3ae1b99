"""The log as people read it: calls, what each changed, and how much there is of everything."""
