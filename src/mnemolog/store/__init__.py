"""The memory file: where it is, whose it is, and how it is read and written."""
