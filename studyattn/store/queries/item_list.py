"""Items as a list that is sorted by any column and read page by page: it may have 100,000 rows.

A list is the numbers of its items in order; only the rows that are looked at are read. The path,
which is the order at first, is not sorted at all: it is the concepts in their order, each with as
many items as an index counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studyattn.store.queries.item_search import FROM, LISTED, PATH, ListedItem, Met
from studyattn.store.sql import Connection, Statements, rows, values
from studyattn.store.vocabulary import ListColumn

_SQL = Statements(__file__)
_KEYS: Final[dict[ListColumn, tuple[str, ...]]] = {
    ListColumn.FRONT: ("lower(coalesce(card.front, item.guid))",),
    ListColumn.CONCEPT: ("lower(own.title)", "item.position"),
    ListColumn.DUE: ("item.due",),
    ListColumn.STATE: (
        "item.suspended",
        "CASE item.phase WHEN 'new' THEN 0 WHEN 'learning' THEN 1 WHEN 'review' THEN 3 ELSE 2 END",
    ),
    ListColumn.STABILITY: ("item.stability",),
    ListColumn.LAPSES: ("item.lapses",),
    ListColumn.TAGS: ("lower(item.tags)",),
}
_EMPTY_LAST: Final[dict[ListColumn, str]] = {
    ListColumn.DUE: "item.due IS NULL",
    ListColumn.STABILITY: "item.stability IS NULL",
    ListColumn.TAGS: "item.tags = ''",
}
_ELSEWHERE: Final = frozenset({ListColumn.PATH, ListColumn.FRONT, ListColumn.CONCEPT})
"""Columns of other tables, which are joined only where they are asked for."""


def sorted_ids(
    connection: Connection, met: Met, column: ListColumn, *, descending: bool = False
) -> list[int]:
    """Return the numbers of the items that meet all conditions, sorted by a column.

    Items without a value in the column are last in either direction.
    """
    if column is ListColumn.PATH:
        order = PATH
    else:
        keys = [f"{each} DESC" if descending else each for each in _KEYS[column]]
        last = [_EMPTY_LAST[column]] if column in _EMPTY_LAST else []
        order = ", ".join([*last, *keys, "item.id"])
    tables = FROM if met.conditions or column in _ELSEWHERE else "FROM item"
    where = " AND ".join(["NOT item.retired", *met.conditions])
    statement = f"SELECT item.id {tables} WHERE {where} ORDER BY {order}"
    return values(connection, statement, **met.given)


def path_counts(connection: Connection) -> list[tuple[int, int]]:
    """Return the concepts that have items, in the order of the path, with how many they have."""
    counts = dict(rows(connection, tuple[int, int], _SQL.counts))
    order = values(connection, _SQL.path)
    return [(concept, counts[concept]) for concept in order if concept in counts]


def ids_of_concepts(connection: Connection, concepts: Sequence[int]) -> list[int]:
    """Return the numbers of the items of these concepts, in the order of the concepts."""
    found: dict[int, list[int]] = {concept: [] for concept in concepts}
    of_concepts = rows(connection, tuple[int, int], _SQL.ids_of_concepts, concepts=concepts)
    for concept, number in of_concepts:
        found[concept].append(number)
    return [number for numbers in found.values() for number in numbers]


def listed_items(connection: Connection, ids: Sequence[int]) -> list[tuple[int, ListedItem]]:
    """Return items by their numbers, in the order given; those that are gone are left out."""
    statement = LISTED.replace("SELECT", "SELECT item.id,", 1) + " WHERE item.id IN @numbers(:ids)"
    found = dict(rows(connection, tuple[int, ListedItem], statement, ids=ids))
    return [(number, found[number]) for number in ids if number in found]
