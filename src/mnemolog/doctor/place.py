"""Checks of the disk that the memory lies on: synced, on a network, or full."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding

_SYNCED: Final = {
    "Dropbox": re.compile(r"dropbox(?: \(.*\))?", re.IGNORECASE),
    "OneDrive": re.compile(r"onedrive(?: ?- ?.*)?", re.IGNORECASE),
    "Google Drive": re.compile(r"google ?drive(?:-.*)?", re.IGNORECASE),
    "iCloud Drive": re.compile(r"mobile documents|iclouddrive|icloud drive", re.IGNORECASE),
    "Nextcloud": re.compile(r"nextcloud", re.IGNORECASE),
    "ownCloud": re.compile(r"owncloud", re.IGNORECASE),
}
"""What the folders are called that services sync, as they create them."""

_SYNCTHING: Final = ".stfolder"
_NETWORK: Final = {
    *("afs", "beegfs", "ceph", "cifs", "davfs", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs"),
    *("nfs", "nfs4", "smb3", "smbfs", "fuse.ceph", "fuse.davfs2", "fuse.glusterfs"),
    *("fuse.rclone", "fuse.sshfs"),
}
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")
_LEAST_FREE_BYTES: Final = 1 << 20


def synced_folder(examination: Examination) -> Iterator[Finding]:
    """Yield that a service syncs the folder, as far as its name gives that away."""
    service = next(_services(examination), None)
    if service is not None:
        yield Finding(
            "remark",
            "synced_folder",
            f"{service} seems to sync this folder. Locks do not reach other machines: when two "
            "write at the same time, it makes a conflicted copy.",
            str(examination.path.parent),
            "Use it on one machine at a time, or share the memory through git instead. This "
            "command finds the copies.",
        )


def _services(examination: Examination) -> Iterator[str]:
    folder = examination.path.parent
    # Below its root a repository names its folders as it likes.
    root = examination.location.repository or folder
    for part in root.parts[:-1]:
        yield from (name for name, pattern in _SYNCED.items() if pattern.fullmatch(part))
    if any((parent / _SYNCTHING).exists() for parent in (folder, *folder.parents)):
        yield "Syncthing"


def network_drive(examination: Examination) -> Iterator[Finding]:
    """Yield that the disk is another machine's. Linux tells, and Windows by the path."""
    kind = _network_kind(examination)
    if kind is not None:
        yield Finding(
            "remark",
            "network_drive",
            f"The memory lies on a network drive ({kind}). Not every one of them keeps locks "
            "between machines, or has on its disk what it says that it has.",
            str(examination.path.parent),
            "Keep the memory on a local disk, or use it from one machine only.",
        )


def _network_kind(examination: Examination) -> str | None:
    if os.name == "nt":
        return "a share" if examination.path.drive.startswith("\\\\") else None
    if not examination.mounts.is_file():
        return None
    best, kind = -1, ""
    for line in examination.mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        _, point, found, *_ = (*line.split(" "), "", "", "")
        place = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), point))
        # Of two on one point the later one is seen.
        if examination.path.is_relative_to(place) and len(place.parts) >= best:
            best, kind = len(place.parts), found
    return kind if kind in _NETWORK else None


def full_disk(examination: Examination) -> Iterator[Finding]:
    """Yield that there is hardly any room for what the next writes need."""
    folder = next(place for place in examination.path.parents if place.exists())
    free = shutil.disk_usage(folder).free
    needed = len(examination.content) + _LEAST_FREE_BYTES
    if free < needed:
        yield Finding(
            "problem",
            "full_disk",
            f"Only {free:,} bytes are free on this disk. A compaction needs room for a second copy "
            f"of the memory: {needed:,}.",
            str(folder),
            "Free some space.",
        )
