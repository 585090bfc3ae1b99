"""A knowledge-graph memory for coding agents, kept as a plain-text log in their repository."""

__version__ = "0.1.0"
