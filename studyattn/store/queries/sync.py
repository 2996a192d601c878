"""The files written to and read from the folders through which a learner's databases are synced.

`sync_folder` has the own file of each folder and how much of each log is in it, `sync_written` a
digest of every other record in that file, and `sync_read` how far each file of another database
was read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Final

from studyattn.store.queries.bulk import insert_rows, last_id
from studyattn.store.queries.snapshot import WITHOUT_REVIEWS, Some, load_snapshot, reviews_by_time
from studyattn.store.snapshot import ReviewRecord, Snapshot
from studyattn.store.sql import Connection, Statements, do, do_many, row, rows, value

_SQL = Statements(__file__)

LOGS: Final[Mapping[str, str]] = {
    "changes": "concept_change",
    "wordings": "wording",
    "reviews": "review",
    "attempts": "attempt",
    "steps": "practice_step",
}
"""The lists of a snapshot whose rows are only added, with their tables."""

_AT_ONCE: Final = 5000  # rows


@dataclass(frozen=True, slots=True)
class OwnFile:
    """The file that this database writes in a folder, as it was left."""

    name: str
    machine: str  # that wrote it
    size: int  # bytes
    tail: str  # digest of its last bytes
    marks: Mapping[str, int]  # the last row of each log that is in it, by the log's name


@dataclass(frozen=True, slots=True)
class ReadUpTo:
    """The position up to which a file of another database was read."""

    offset: int  # bytes
    tail: str  # digest of the last bytes before that


def own_file(connection: Connection, folder: str) -> OwnFile | None:
    """Return the own file in a folder, None before the first sync with it."""
    return row(connection, OwnFile, _SQL.own_file, folder=folder)


def remember_own_file(connection: Connection, folder: str, file: OwnFile) -> None:
    """Keep how the own file in a folder was left."""
    do(connection, _SQL.remember_own_file, folder=folder, **asdict(file))


def forget_written(connection: Connection, folder: str) -> None:
    """Forget what is in the own file of a folder, because a new one begins."""
    do(connection, "DELETE FROM sync_written WHERE folder = :folder", folder=folder)


def forget_records(connection: Connection, records: Collection[str]) -> None:
    """Forget that these records are in any own file, so that they are written again."""
    do(connection, "DELETE FROM sync_written WHERE record IN @texts(:records)", records=records)


def last_rows(connection: Connection) -> dict[str, int]:
    """Return the number of the last row of each log."""
    return {log: last_id(connection, table) for log, table in LOGS.items()}


def load_unwritten(connection: Connection, marks: Mapping[str, int]) -> Snapshot:
    """Return everything but reviews and the rows of the logs up to their `marks`."""
    only = {table: Some(f"id > {marks.get(log, 0):d}") for log, table in LOGS.items()}
    return load_snapshot(connection, {**only, **WITHOUT_REVIEWS})


def unwritten_reviews(connection: Connection, marks: Mapping[str, int]) -> Iterator[ReviewRecord]:
    """Yield the reviews after their mark, by time, without holding all of them."""
    return reviews_by_time(connection, f"id > {marks.get('reviews', 0):d}")


def written_digests(connection: Connection, folder: str) -> dict[str, str]:
    """Return the digests of the records in the own file, by their names."""
    return dict(rows(connection, tuple[str, str], _SQL.written_digests, folder=folder))


def remember_written(
    connection: Connection, folder: str, digests: Mapping[str, str], gone: Collection[str]
) -> None:
    """Keep the digests of records that were written, and forget those of records that are gone."""
    if value(connection, _SQL.has_written, folder=folder) is not None:
        names = chain(digests, gone)
        do_many(
            connection, _SQL.forget_record, ({"folder": folder, "name": each} for each in names)
        )
    written = iter(digests.items())
    while some := list(islice(written, _AT_ONCE)):
        found = [{"folder": folder, "record": name, "digest": digest} for name, digest in some]
        insert_rows(connection, "sync_written", found)


def read_up_to(connection: Connection, folder: str) -> dict[str, ReadUpTo]:
    """Return how far each file of a folder was read, by its name."""
    return dict(rows(connection, tuple[str, ReadUpTo], _SQL.read_up_to, folder=folder))


def remember_read(connection: Connection, folder: str, name: str, upto: ReadUpTo) -> None:
    """Keep how far a file was read, within the transaction that takes in what was read."""
    do(connection, _SQL.remember_read, folder=folder, name=name, **asdict(upto))
