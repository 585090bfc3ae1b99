"""Importing what another memory server kept: read as a stream, written in whole calls."""

from mnemolog.importing.destination import Destination
from mnemolog.importing.steps import import_steps

__all__ = ["Destination", "import_steps"]
