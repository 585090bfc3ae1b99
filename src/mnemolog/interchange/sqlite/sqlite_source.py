"""SQLite stores of other servers, read from a copy: rows in order, and why a row is none.

The source is only read, and nothing appears beside it. Opening it in place would not do: even a
read-only connection creates `-shm` and may take part in a recovery. So the file is copied with
its write-ahead log or its journal, which hold what the file itself does not say yet, and what
SQLite has to repair it repairs in the copy. A database that is locked can be copied all the same.

The copy is one state of the database if nothing changed while it was made: the file is the same
when it is read again afterwards, and the log has at most become longer. A checkpoint in between
shows as a change of the file, a log that was begun anew as a change of its beginning.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, TypeAlias

from mnemolog.errors import UnreadableSource
from mnemolog.halves import has_halves
from mnemolog.interchange.sources import Found, Item, Reached, Refused, refusal
from mnemolog.interchange.utc_dates import as_tag

MAGIC: Final = b"SQLite format 3\0"

Columns: TypeAlias = Mapping[str, Collection[str]]
"""By table, the columns that a reader needs."""

_LOGS: Final = ("-wal", "-journal")
_ATTEMPTS: Final = 5
_PAUSE_SECONDS: Final = 0.05
_CHUNK: Final = 1 << 20
_ROWS_A_REPORT: Final = 1000
_DAMAGE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file shows itself by; the second where the name of a column is no text."""
_NO_DATABASE: Final = (
    "it is no SQLite database, or an encrypted one. Choose the file that its server keeps, or "
    "leave --from away to have the format recognised."
)


class RowRefused(Exception):
    """A signal that a row is no record: the reading goes on with the next one."""

    def __init__(self, reason: str, kind: Literal["error", "skipped"] = "skipped") -> None:
        super().__init__(reason)
        self.kind = kind


class Row:
    """One row of a query whose first column is the row's number."""

    __slots__ = ("_values", "place")

    def __init__(self, table: str, values: sqlite3.Row) -> None:
        self.place = f"{table} row {values[0]}"
        self._values = values

    def __getitem__(self, column: str) -> Any:  # noqa: ANN401 - whatever stands there
        return self._values[column]

    def text(self, column: str, called: str | None = None) -> str:
        """Return a text that the row needs.

        Raises:
            RowRefused: There is none.
        """
        text = self.text_or_none(column, called)
        if text is None:
            raise RowRefused(f"its {called or column} is missing")
        return text

    def text_or_none(self, column: str, called: str | None = None) -> str | None:
        """Return a text that the row may do without; a blank one is none.

        Raises:
            RowRefused: There is something else.
        """
        value = self._values[column]
        if value is None:
            return None
        if not isinstance(value, str):
            raise RowRefused(f"its {called or column} is not a text", "error")
        if has_halves(value):
            raise RowRefused(f"its {called or column} is not UTF-8 text", "error")
        return value if value.strip() else None

    def date(self, column: str) -> str | None:
        """Return a date as tags have it; null if there is none that can be read."""
        return as_tag(self._values[column])


class Database:
    """The copy of a store, open for reading."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._total = 0
        self._read = 0

    def columns(self, table: str) -> frozenset[str]:
        """Return the names of a table's columns; none if there is no such table."""
        # A view could hold any query, and a virtual table starts code of its own, so neither is
        # taken for the table of a known server. SQLite stores the words in this spelling.
        found = (
            "SELECT 1 FROM sqlite_master "
            "WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE%'"
        )
        if not self._connection.execute(found, (table,)).fetchone():
            return frozenset()
        query = "SELECT name FROM pragma_table_info(?)"
        return frozenset(name for (name,) in self._connection.execute(query, (table,)))

    def lacks(self, needed: Columns) -> str | None:
        """Return the first column or table that is not there, for a sentence."""
        for table, columns in needed.items():
            present = self.columns(table)
            if not present:
                return f"table {table}"
            for column in columns:
                if column not in present:
                    return f"column {table}.{column}"
        return None

    def column(self, table: str, column: str, alias: str) -> str:
        """Return how a query names a column: NULL where an older version of the store lacks it."""
        return f"{alias}.{column}" if column in self.columns(table) else "NULL"

    def expect(self, *tables: str) -> None:
        """Count the rows that are going to be read, so that progress can be told."""
        for table in tables:
            counted = self.first(table, f"SELECT count(*) AS rows FROM {table}")  # noqa: S608 - a known name
            self._total += counted["rows"] if counted else 0

    def index(self, table: str, column: str) -> None:
        """Make looking up a column quick, in the copy; a damaged one stays slow."""
        with suppress(*_DAMAGE):
            self._connection.execute(f"CREATE INDEX lookup_{column} ON {table} ({column})")

    def first(self, table: str, query: str, *values: object) -> Row | None:
        """Return the first row of a query, if there is one that can be read."""
        try:
            found = self._connection.execute(query, values).fetchone()
        except _DAMAGE:
            return None
        return found and Row(table, found)

    def rows(self, table: str, query: str) -> Iterator[Row | Refused | Reached]:
        """Yield the rows of a query, one at a time; damage in the file ends them with a reason."""
        last = "the start"
        try:
            for values in self._connection.execute(query):
                last = f"row {values[0]}"
                yield Row(table, values)
                self._read += 1
                if self._read % _ROWS_A_REPORT == 0 and self._total:
                    yield Reached(min(1.0, self._read / self._total))
        except _DAMAGE as error:
            reason = f"the rest cannot be read, the file is damaged: {error}"
            yield Refused(f"{table} after {last}", reason, "error")


def items(
    database: Database, table: str, query: str, read: Callable[[Row], Iterable[Found]]
) -> Iterator[Item]:
    """Yield what `read` makes of each row, and why where it refuses one."""
    for row in database.rows(table, query):
        if isinstance(row, Row):
            try:
                yield from read(row)
            except RowRefused as refusal:
                yield Refused(row.place, str(refusal), refusal.kind)
        else:
            yield row


def list_in(stored: Any) -> list[str]:  # noqa: ANN401 - whatever a store holds
    """Return the texts of a column that holds a JSON list, or words between commas."""
    if not isinstance(stored, str):
        return []
    value = _json_in(stored)
    found = value if isinstance(value, list) else stored.split(",")
    return [text for text in found if isinstance(text, str) and not has_halves(text)]


def text_in(value: Any) -> str | None:  # noqa: ANN401 - any JSON value
    """Return a value that is a text; none if it is blank or something else."""
    return value if isinstance(value, str) and value.strip() and not has_halves(value) else None


def object_in(stored: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever a store holds
    """Return the object of a column that holds JSON; an empty one if it holds none."""
    value = _json_in(stored) if isinstance(stored, str) else None
    return value if isinstance(value, dict) else {}


def _json_in(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def recognises(path: Path, columns: Columns) -> bool:
    """Return whether a path is an SQLite database that has these columns.

    Raises:
        OSError: The system refuses to look.
    """
    if not path.is_file() or not _starts_like_sqlite(path):
        return False
    if _has_columns(f"{path.resolve().as_uri()}?mode=ro&immutable=1", columns):
        return True
    # In a young database even the tables may stand in the log only.
    if not any(_beside(path.resolve(), log).is_file() for log in _LOGS):
        return False
    with _temporary_folder() as folder:
        try:
            copy = _copy_of(path, folder)
        except UnreadableSource:
            return False
        return _has_columns(copy.as_uri(), columns)


@contextmanager
def opened(path: Path, server: str, needed: Columns) -> Iterator[Database]:
    """Give a copy of a store, open for reading.

    Raises:
        UnreadableSource: It is no database, is damaged, is another server's, or has a layout that
            is not known.
    """
    with _temporary_folder() as folder, closing(_connection_to(path, folder)) as connection:
        database = Database(connection)
        try:
            if missing := database.lacks(needed):
                raise UnreadableSource(path, _unknown_layout(missing, server))
            # Where damage hides what tables there are, it shows only when one is asked for.
            yield database
        except _DAMAGE as error:
            raise UnreadableSource(path, _damaged(error)) from error


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="mnemolog-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _connection_to(path: Path, folder: Path) -> sqlite3.Connection:
    try:
        if not _starts_like_sqlite(path):
            raise UnreadableSource(path, _NO_DATABASE)
        copy = _copy_of(path, folder)
    except OSError as error:
        raise UnreadableSource(path, refusal(error)) from error
    return _connect(copy.as_uri())


def _damaged(error: Exception) -> str:
    return (
        f"it is a damaged SQLite database ({error}). Import a backup of it, or save what is left "
        "with 'sqlite3 FILE .recover | sqlite3 NEW_FILE' and import the new file."
    )


def _unknown_layout(missing: str, server: str) -> str:
    return (
        f"it has no {missing}, so it is not a store of {server}, or of a version that this "
        "mnemolog does not know. Leave --from away to have the format recognised, or update "
        "mnemolog."
    )


def _copy_of(path: Path, folder: Path) -> Path:
    """Return a copy of a database in a folder, its log beside it."""
    source = path.resolve()  # SQLite keeps the log beside the file that a link leads to
    copy = folder.resolve() / "copy.db"
    for attempt in range(_ATTEMPTS):
        time.sleep(attempt * _PAUSE_SECONDS)
        if _copy_is_one_state(source, copy):
            return copy
    raise UnreadableSource(
        path, "it was being written all the while. Stop its server, then import again."
    )


def _copy_is_one_state(source: Path, copy: Path) -> bool:
    _copy(source, copy)
    copied = [log for log in _LOGS if _copy_if_there(_beside(source, log), _beside(copy, log))]
    return _begins_with(source, copy, exactly=True) and all(
        _begins_with(_beside(source, log), _beside(copy, log)) for log in copied
    )


def _copy_if_there(source: Path, copy: Path) -> bool:
    with suppress(FileNotFoundError):
        if source.is_file():  # what a link leads to may never end
            _copy(source, copy)
            return True
    copy.unlink(missing_ok=True)  # left by an earlier attempt
    return False


def _copy(source: Path, copy: Path) -> None:
    with source.open("rb") as read, copy.open("wb") as written:
        while chunk := read.read(_CHUNK):
            written.write(chunk)


def _begins_with(source: Path, copy: Path, *, exactly: bool = False) -> bool:
    try:
        with source.open("rb") as read, copy.open("rb") as copied:
            while chunk := copied.read(_CHUNK):
                if read.read(len(chunk)) != chunk:
                    return False
            return not exactly or not read.read(1)
    except FileNotFoundError:
        return False


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _starts_like_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def _has_columns(uri: str, columns: Columns) -> bool:
    try:
        with closing(_connect(uri)) as connection:
            return Database(connection).lacks(columns) is None
    except _DAMAGE:
        return False


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.row_factory = sqlite3.Row
    # What is not UTF-8 must not end the reading: it shows as lone surrogates.
    connection.text_factory = lambda raw: raw.decode(errors="surrogateescape")
    connection.execute("PRAGMA trusted_schema = OFF")
    # A file that was cut is refused whole otherwise. Nothing is written: this is a copy.
    connection.execute("PRAGMA writable_schema = ON")
    return connection
