"""What server-memory 2026.8.31 answers, call by call, and where we answer otherwise and why.

Both sides were measured; `scripts/compare_with_server_memory.py` measures them again.
"""

from __future__ import annotations

from sequences_of_changes import CHANGES
from sequences_of_files import FILES
from sequences_of_reads import READS

SEQUENCES = (*CHANGES, *READS, *FILES)
