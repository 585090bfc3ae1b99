"""What an operation writes and answers, from the graph alone: no file, no clock.

Nothing changes until the log has the lines, and additions come before removals.
"""
