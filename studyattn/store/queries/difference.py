"""The rows of one open database that another has not, or has otherwise.

Of what is many (items, notes, the logs) rows are compared as SQLite stores them, a part at a time,
in the order of their names. So two homes of a million reviews that differ in ten take the time of
reading, and no room. Where one of the two is on a server everything counts as different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from studyattn.store.columns import tables
from studyattn.store.driver import Row
from studyattn.store.log_values import LogRow
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.queries.review_log import stored_log
from studyattn.store.queries.snapshot import WITHOUT_REVIEWS, Some, load_snapshot
from studyattn.store.snapshot import Snapshot
from studyattn.store.sql import Connection, driver_of, is_sqlite

_AT_ONCE: Final = 5000  # rows
_KEYS: Final[Mapping[str, str]] = {
    "item": "guid",
    "note": "guid",
    "anki_note": "guid",
    "anki_card": "item_guid",
    "attempt": "uuid",
    "practice_step": "uuid",
    "brought_back": "uuid",
}


def different(theirs: Connection, ours: Connection) -> tuple[Snapshot, Iterable[LogRow]]:
    """Return what has to be merged of `theirs`, and its reviews, which are read as they are taken.

    Of sources, concepts, wordings, settings and decisions that is everything.
    """
    if not (is_sqlite(theirs) and is_sqlite(ours)):
        return load_snapshot(theirs, WITHOUT_REVIEWS), stored_log(theirs)
    only = {
        table: Some(
            f"{key} IN @texts(:names)",
            [str(name) for name, *_ in _different_rows(theirs, ours, table, key)],
        )
        for table, key in _KEYS.items()
    }
    reviews = map(LogRow._make, _different_rows(theirs, ours, "review", "uuid"))
    return load_snapshot(theirs, {**only, **WITHOUT_REVIEWS}), reviews


def _different_rows(theirs: Connection, ours: Connection, table: str, key: str) -> Iterator[Row]:
    """Yield the rows of a table that ours has not alike, by their names, which come first in them.

    Rows of ours are read up to the last of each part, and no statement stays open meanwhile: the
    caller may write.
    """
    after: object = b"" if table == "review" else ""  # before every name
    rows_after = f"{_select(table, key)} WHERE {table}.{key} > ?"
    order = f"ORDER BY {table}.{key}"
    while part := list(
        driver_of(theirs).stream(f"{rows_after} {order} LIMIT {_AT_ONCE}", (after,))
    ):
        last = part[-1][0]
        up_to = f"{rows_after} AND {table}.{key} <= ?"
        alike = set(driver_of(ours).stream(up_to, (after, last)))
        yield from [row for row in part if row not in alike]
        after = last


def _select(table: str, key: str) -> str:
    """Return the statement that reads the rows of a table without numbers of this database's."""
    left_out = {"id", "item_id", "concept_id", "source_id", "forgotten_at", key}
    left_out |= MEMORY_COLUMNS if table == "item" else set()
    columns = [f"{table}.{key}"]
    joins = []
    for column in tables()[table].values():
        if column.name not in left_out:
            columns.append(f"{table}.{column.name}")
        elif column.refers and column.name != "id":
            whole = column.refers
            named = "slug" if whole == "concept" else "guid"
            columns.append(f"{whole}_of.{named}")
            joins.append(
                f"LEFT JOIN {whole} AS {whole}_of ON {whole}_of.id = {table}.{column.name}"
            )
    if table == "item":
        columns += [f"card.{c.name}" for c in tables()["card"].values() if c.name != "item_id"]
        joins.append("LEFT JOIN card ON card.item_id = item.id")
    return f"SELECT {', '.join(columns)} FROM {table} {' '.join(joins)}"  # noqa: S608 - names of our tables
