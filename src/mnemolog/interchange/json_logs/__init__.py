"""Memories in JSON, also broken ones: logs line by line, and documents, whoever wrote them."""
