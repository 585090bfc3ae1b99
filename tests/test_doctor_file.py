"""What the doctor finds in the memory file, beside it, and on its disk."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from examinations import examine, found, line, only, save, write
from mnemolog.doctor import content, permissions, place, surroundings
from mnemolog.store.location import FILE, FOLDER

needs_posix = pytest.mark.skipif(os.name == "nt", reason="there are no modes on Windows")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    return folder


# --- lines ---------------------------------------------------------------------------------------


def test_unreadable_lines_are_named_by_number(folder: Path) -> None:
    write(folder, [line("a"), b"no json", line("b"), b'{"type":"entity"}', b"\xff"])
    findings = found(content.unreadable_lines, examine(folder))
    assert [finding.where for finding in findings] == ["line 2", "line 4", "line 5"]
    assert {finding.severity for finding in findings} == {"problem"}


def test_a_cut_off_call_is_only_a_remark(folder: Path) -> None:
    path = save(folder)
    with path.open("ab") as file:
        file.write(b'{"type":"entity","name":"api","entityType":"serv')
    finding = only(content.unreadable_lines, examine(folder))
    assert (finding.severity, finding.kind, finding.where) == ("remark", "torn_call", "line 2")


def test_conflict_markers_are_one_finding_and_no_unreadable_lines(folder: Path) -> None:
    merged = [b"<<<<<<< HEAD", line("a"), b"||||||| base", b"=======", line("b"), b">>>>>>> x"]
    write(folder, [line("c"), *merged])
    finding = only(content.conflict_markers, examine(folder))
    assert finding.where == "lines 2, 4, 5, 7"
    assert finding.is_fixable
    assert not found(content.unreadable_lines, examine(folder))


def test_without_its_markers_a_memory_says_the_same() -> None:
    merged = [b"<<<<<<< HEAD", line("a"), b"=======\r", line("b"), b">>>>>>> x", b"======= not"]
    left = content.without_markers(b"\n".join(merged))
    assert left == b"\n".join([line("a"), line("b"), b"======= not"])


def test_a_file_that_is_no_memory_is_one_problem(folder: Path) -> None:
    write(folder, [b"some", b"text", b"of", b"somebody"])
    finding = only(content.unreadable_file, examine(folder))
    assert (finding.kind, finding.severity) == ("not_a_memory", "problem")
    assert finding.where.endswith("line 1")
    assert not found(content.unreadable_lines, examine(folder))


def test_a_memory_that_may_not_be_read_is_a_problem(folder: Path) -> None:
    save(folder).unlink()
    (folder / FOLDER / FILE).mkdir()  # whoever runs the test, this cannot be read as a file
    examination = examine(folder, setting=None)
    assert "not a regular file" in str(examination.located)
    (folder / FOLDER / FILE).rmdir()
    path = save(folder)
    late = examine(folder)
    assert late.path == path
    path.unlink()
    path.mkdir()
    finding = only(content.unreadable_file, late)
    assert (finding.kind, finding.severity) == ("unreadable_file", "problem")
    assert not late.graph.entities


def test_a_newer_format_is_a_problem(folder: Path) -> None:
    header = b'{"type":"header","format":2,"repo":{"name":"a","commit":null,"root":null},'
    write(folder, [header + b'"added_at":null,"agent":null}', line("a")])
    assert "format 2" in only(content.newer_format, examine(folder)).what


# --- beside the file -----------------------------------------------------------------------------


def test_a_torn_call_that_was_set_aside_is_a_remark(folder: Path) -> None:
    path = save(folder)
    path.with_name(f"{FILE}.torn-20260101T000000Z").write_bytes(b"torn")
    finding = only(surroundings.torn_files, examine(folder))
    assert (finding.severity, finding.kind) == ("remark", "torn_file")
    assert "4 bytes" in finding.what


@pytest.mark.parametrize("name", [f"{FILE}.tmp-99", "memory.local.access.jsonl.tmp-99"])
def test_only_old_temporary_files_are_leftovers(name: str, folder: Path) -> None:
    leftover = save(folder).with_name(name)
    leftover.write_bytes(b"half")
    assert not found(surroundings.temporaries, examine(folder))
    os.utime(leftover, (1, 1))
    assert only(surroundings.temporaries, examine(folder)).where == str(leftover)


@pytest.mark.parametrize(
    "name",
    [
        "memory.local (Jane's conflicted copy 2026-01-02).jsonl",
        "memory.local (Janes in Konflikt stehende Kopie 2026-01-02).jsonl",
        "memory.local.sync-conflict-20260102-030405-ABCDEFG.jsonl",
        "memory.local 2.jsonl",
        "memory.local (1).jsonl",
        "memory.local (conflicted copy 2026-01-02 030405).jsonl",
        "memory.local_conflict-20260102-030405.jsonl",
    ],
    ids=["Dropbox", "Dropbox in German", "Syncthing", "iCloud", "Drive", "Nextcloud", "ownCloud"],
)
def test_a_conflicted_copy_is_a_problem(name: str, folder: Path) -> None:
    copy = save(folder).with_name(name)
    copy.write_bytes(line("a"))
    finding = only(surroundings.conflicted_copies, examine(folder))
    assert (finding.severity, finding.where) == ("problem", str(copy))
    assert "mnemolog import" in finding.fix


def test_what_onedrive_adds_is_a_copy_only_in_onedrive(tmp_path: Path) -> None:
    for name, count in (("OneDrive - Shop", 1), ("work", 0)):
        folder = tmp_path / name / "app"
        folder.mkdir(parents=True)
        save(folder).with_name("memory.local-LAPTOP-7.jsonl").write_bytes(line("a"))
        assert len(found(surroundings.conflicted_copies, examine(folder))) == count


@pytest.mark.parametrize(
    "name",
    ["memory.local.access.jsonl", f"{FILE}.bak-20260101T000000Z", "memory.local.taxonomy.jsonc"],
)
def test_what_belongs_to_the_memory_is_no_copy(name: str, folder: Path) -> None:
    save(folder).with_name(name).write_bytes(line("a"))
    assert not found(surroundings.conflicted_copies, examine(folder))


def test_another_memory_of_the_project_is_a_remark(folder: Path) -> None:
    path = save(folder)
    finding = only(surroundings.other_memories, examine(folder, setting="elsewhere.jsonl"))
    assert finding.where == str(path)
    assert not found(surroundings.other_memories, examine(folder))


def test_a_memory_of_a_folder_from_before_git_is_a_remark(folder: Path) -> None:
    below = folder / "src"
    below.mkdir()
    path = save(below)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    finding = only(surroundings.other_memories, examine(below))
    assert finding.where == str(path)


# --- permissions ---------------------------------------------------------------------------------


@needs_posix
def test_files_that_others_can_read_are_a_remark(folder: Path) -> None:
    path = save(folder)
    assert not found(permissions.wide_modes, examine(folder))
    path.chmod(0o644)
    finding = only(permissions.wide_modes, examine(folder))
    assert finding.is_fixable
    assert f"{FILE} (644)" in finding.what


@needs_posix
def test_a_folder_that_everybody_can_write_is_a_problem(folder: Path) -> None:
    save(folder).parent.chmod(0o777)
    assert only(permissions.wide_modes, examine(folder)).kind == "wide_folder"
    (folder / FOLDER).chmod(0o755)
    assert not found(permissions.wide_modes, examine(folder))


@needs_posix
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_named(folder: Path) -> None:
    path = save(folder)
    assert not found(permissions.other_owner, examine(folder))
    os.chown(path, 12345, -1)
    assert "uid 12345" in only(permissions.other_owner, examine(folder)).what


def test_a_place_that_cannot_be_written_is_a_problem(folder: Path) -> None:
    if os.geteuid() != 0:
        save(folder).parent.chmod(0o500)
        assert only(permissions.not_writable, examine(folder)).where == str(folder / FOLDER)
        (folder / FOLDER).chmod(0o700)
        return
    # Root may write anywhere but where nothing can be written.
    finding = only(permissions.not_writable, examine(folder, setting="/proc/sys/kernel/m.jsonl"))
    assert finding.where == "/proc/sys/kernel"


def test_a_lock_that_somebody_holds_is_a_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(folder)
    assert not found(permissions.held_lock, examine(folder))
    monkeypatch.setattr(permissions, "LOCK_PATIENCE_SECONDS", 0.1)
    hold = (
        "import sys; from pathlib import Path; from mnemolog.store.lock import WriterLock\n"
        "with WriterLock(Path(sys.argv[1])).held(): print('held', flush=True); input()"
    )
    command = [sys.executable, "-c", hold, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdin
        assert holder.stdout.readline() == b"held\n"
        finding = only(permissions.held_lock, examine(folder))
        holder.stdin.write(b"\n")
        holder.stdin.flush()
    assert finding.severity == "problem"
    if sys.platform == "linux":
        assert f"Process {holder.pid}" in finding.what


def test_no_lock_is_taken_where_none_is(folder: Path) -> None:
    write(folder, [line("a")])
    assert not found(permissions.held_lock, examine(folder))
    assert [path.name for path in (folder / FOLDER).iterdir()] == [FILE]


# --- the disk ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "service"),
    [
        ("Dropbox (Personal)", "Dropbox"),
        ("OneDrive - Shop", "OneDrive"),
        ("GoogleDrive-a@example.org", "Google Drive"),
        ("Mobile Documents", "iCloud Drive"),
    ],
)
def test_a_synced_folder_is_a_remark(name: str, service: str, tmp_path: Path) -> None:
    folder = tmp_path / name / "app"
    folder.mkdir(parents=True)
    assert service in only(place.synced_folder, examine(folder)).what


def test_syncthing_is_known_by_its_marker(folder: Path) -> None:
    assert not found(place.synced_folder, examine(folder))
    (folder.parent / ".stfolder").mkdir()
    assert "Syncthing" in only(place.synced_folder, examine(folder)).what


def test_a_repository_may_be_called_like_a_service(tmp_path: Path) -> None:
    folder = tmp_path / "nextcloud"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert not found(place.synced_folder, examine(folder))


@pytest.mark.skipif(os.name == "nt", reason="Windows names shares by their path")
def test_a_network_drive_is_a_remark(tmp_path: Path) -> None:
    folder = tmp_path / "my share" / "app"
    folder.mkdir(parents=True)
    mounts = tmp_path / "mounts"
    point = str(tmp_path / "my share").replace(" ", r"\040")
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nhost:/x {point} nfs4 rw 0 0\n", encoding="utf-8")
    assert "nfs4" in only(place.network_drive, examine(folder, mounts=mounts)).what
    mounts.write_text("host:/x / nfs4 rw 0 0\n/dev/sda / ext4 rw 0 0\n", encoding="utf-8")
    assert not found(place.network_drive, examine(folder, mounts=mounts))


def test_a_full_disk_is_a_problem(folder: Path) -> None:
    assert not found(place.full_disk, examine(folder))
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(mount, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        assert only(place.full_disk, examine(folder)).severity == "problem"
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@needs_posix
def test_the_mode_that_a_mask_gives_is_not_ours(folder: Path) -> None:
    path = save(folder)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
