"""What is only needed for imports is not loaded before one."""

from __future__ import annotations

import subprocess
import sys

_LOADED = """
import sys
import mnemolog.server.app, mnemolog.memory
print(*(name for name in sys.modules if name.startswith(("sqlite3", "mnemolog.importing"))))
"""


def test_neither_the_server_nor_its_memory_loads_the_importers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == []
