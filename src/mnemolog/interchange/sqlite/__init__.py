"""Memories in SQLite: a store is copied with its write-ahead log, and the copy read."""
