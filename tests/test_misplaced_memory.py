"""A memory file among git's own is refused for what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.errors import LocationRefused
from mnemolog.store.location import Settings, locate


def test_a_file_among_gits_own_is_not_called_a_symlink(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    with pytest.raises(LocationRefused, match="leads into git's own files") as refused:
        locate(Settings(".git/memory.jsonl", None), tmp_path, tmp_path)
    assert "symlink" not in str(refused.value)
    assert "Set MEMORY_FILE_PATH to another file" in str(refused.value)
