"""What an operation writes and answers, from the graph alone: no file, no clock."""
