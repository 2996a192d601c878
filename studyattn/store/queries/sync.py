"""What was written to and read from the folders through which a learner's databases are synced.

`sync_folder` has the own file of each folder and how much of each log is in it, `sync_written` a
digest of every other record in that file, and `sync_read` how far each file of another database
was read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select, update

from studyattn.store.models import (
    AttemptRow,
    Base,
    ConceptChangeRow,
    PracticeStepRow,
    ReviewRow,
    SyncFolderRow,
    SyncReadRow,
    SyncWrittenRow,
    WordingRow,
)
from studyattn.store.queries.bulk import insert_rows, last_id
from studyattn.store.queries.snapshot import (
    WITHOUT_REVIEWS,
    Only,
    load_snapshot,
    reviews_by_time,
)
from studyattn.store.snapshot import ReviewRecord, Snapshot

LOGS: Final[Mapping[str, type[Base]]] = {
    "changes": ConceptChangeRow,
    "wordings": WordingRow,
    "reviews": ReviewRow,
    "attempts": AttemptRow,
    "steps": PracticeStepRow,
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
    columns = (getattr(SyncFolderRow, name) for name in OwnFile.__dataclass_fields__)
    row = connection.execute(select(*columns).where(SyncFolderRow.folder == folder)).one_or_none()
    return None if row is None else OwnFile(*row)


def remember_own_file(connection: Connection, folder: str, file: OwnFile) -> None:
    """Keep how the own file in a folder was left."""
    values = {name: getattr(file, name) for name in OwnFile.__dataclass_fields__}
    changed = connection.execute(
        update(SyncFolderRow).where(SyncFolderRow.folder == folder).values(**values)
    )
    if changed.rowcount == 0:
        connection.execute(insert(SyncFolderRow).values(folder=folder, **values))


def forget_written(connection: Connection, folder: str) -> None:
    """Forget what is in the own file of a folder, because a new one begins."""
    connection.execute(delete(SyncWrittenRow).where(SyncWrittenRow.folder == folder))


def forget_records(connection: Connection, records: Collection[str]) -> None:
    """Forget that these records are in any own file, so that they are written again."""
    if records:
        connection.execute(
            delete(SyncWrittenRow).where(SyncWrittenRow.record == bindparam("of_record")),
            [{"of_record": name} for name in records],
        )


def last_rows(connection: Connection) -> dict[str, int]:
    """Return the number of the last row of each log."""
    return {log: last_id(connection, table) for log, table in LOGS.items()}


def load_unwritten(connection: Connection, marks: Mapping[str, int]) -> Snapshot:
    """Return everything but reviews and the rows of the logs up to their `marks`."""
    only: Only = {table: _column(table, "id") > marks.get(log, 0) for log, table in LOGS.items()}
    return load_snapshot(connection, {**only, **WITHOUT_REVIEWS})


def unwritten_reviews(connection: Connection, marks: Mapping[str, int]) -> Iterator[ReviewRecord]:
    """Yield the reviews after their mark, by time, without holding all of them."""
    return reviews_by_time(connection, _column(ReviewRow, "id") > marks.get("reviews", 0))


def _column(table: type[Base], name: str) -> ColumnElement[Any]:
    column: ColumnElement[Any] = table.__table__.columns[name]
    return column


def written_digests(connection: Connection, folder: str) -> dict[str, str]:
    """Return the digests of the records in the own file, by their names."""
    rows = connection.execute(
        select(SyncWrittenRow.record, SyncWrittenRow.digest).where(SyncWrittenRow.folder == folder)
    )
    return {row.record: row.digest for row in rows}


def remember_written(
    connection: Connection, folder: str, digests: Mapping[str, str], gone: Collection[str]
) -> None:
    """Keep the digests of records that were written, and forget those of records that are gone."""
    here = SyncWrittenRow.folder == folder
    if connection.scalar(select(SyncWrittenRow.record).where(here).limit(1)) is not None:
        names = chain(digests, gone)
        while part := [{"of_record": name} for name in islice(names, _AT_ONCE)]:
            of_record = SyncWrittenRow.record == bindparam("of_record")
            connection.execute(delete(SyncWrittenRow).where(here, of_record), part)
    written = iter(digests.items())
    while some := list(islice(written, _AT_ONCE)):
        rows = [{"folder": folder, "record": name, "digest": digest} for name, digest in some]
        insert_rows(connection, SyncWrittenRow, rows)


def read_up_to(connection: Connection, folder: str) -> dict[str, ReadUpTo]:
    """Return how far each file of a folder was read, by its name."""
    rows = connection.execute(
        select(SyncReadRow.name, SyncReadRow.offset, SyncReadRow.tail).where(
            SyncReadRow.folder == folder
        )
    )
    return {row.name: ReadUpTo(row.offset, row.tail) for row in rows}


def remember_read(connection: Connection, folder: str, name: str, upto: ReadUpTo) -> None:
    """Keep how far a file was read, within the transaction that takes in what was read."""
    here = (SyncReadRow.folder == folder, SyncReadRow.name == name)
    values = {"offset": upto.offset, "tail": upto.tail}
    changed = connection.execute(update(SyncReadRow).where(*here).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(SyncReadRow).values(folder=folder, name=name, **values))
