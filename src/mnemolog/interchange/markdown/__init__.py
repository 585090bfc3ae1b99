"""Folders of Markdown notes: what they say as observations, what they link to as relations."""
