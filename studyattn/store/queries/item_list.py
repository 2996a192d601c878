"""Items as a list that is sorted by any column and read page by page: it may have 100,000 rows.

A list is the numbers of its items in order; only the rows that are looked at are read. The path,
which is the order at first, is not sorted at all: it is the concepts in their order, each with as
many items as an index counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, case, func, select, type_coerce
from sqlalchemy.orm import InstrumentedAttribute

from studyattn.store.models import CardRow, ConceptRow, ItemRow, Text
from studyattn.store.queries.item_search import LISTED, ListedItem
from studyattn.store.vocabulary import ListColumn

_AT_ONCE: Final = 500  # numbers in one statement


_Sorted = ColumnElement[Any] | InstrumentedAttribute[Any]
_TAGS = type_coerce(ItemRow.tags, Text)
_PHASES = {"new": 0, "learning": 1, "relearning": 2, "review": 3}
_KEYS: Final[dict[ListColumn, tuple[_Sorted, ...]]] = {
    ListColumn.FRONT: (func.lower(func.coalesce(CardRow.front, ItemRow.guid)),),
    ListColumn.CONCEPT: (func.lower(ConceptRow.title), ItemRow.position),
    ListColumn.DUE: (ItemRow.due,),
    ListColumn.STATE: (ItemRow.suspended, case(_PHASES, value=ItemRow.phase)),
    ListColumn.STABILITY: (ItemRow.stability,),
    ListColumn.LAPSES: (ItemRow.lapses,),
    ListColumn.TAGS: (func.lower(_TAGS),),
}
_EMPTY_LAST: Final[dict[ListColumn, _Sorted]] = {
    ListColumn.DUE: ItemRow.due.is_(None),
    ListColumn.STABILITY: ItemRow.stability.is_(None),
    ListColumn.TAGS: _TAGS == "",
}
_PATH: Final = (ConceptRow.pack.is_(None), ConceptRow.pack, ConceptRow.position, ConceptRow.id)


def sorted_ids(
    connection: Connection,
    conditions: Sequence[ColumnElement[bool]],
    column: ListColumn,
    *,
    descending: bool = False,
) -> list[int]:
    """Return the numbers of the items that meet all conditions, sorted by a column.

    Items without a value in the column are last in either direction.
    """
    if column is ListColumn.PATH:
        order: list[_Sorted] = [*_PATH, ItemRow.position, ItemRow.id]
    else:
        keys = [each.desc() if descending else each for each in _KEYS[column]]
        last = [_EMPTY_LAST[column]] if column in _EMPTY_LAST else []
        order = [*last, *keys, ItemRow.id]
    statement = select(ItemRow.id)
    if conditions or column in _ELSEWHERE:
        statement = LISTED.with_only_columns(ItemRow.id)
    statement = statement.where(~ItemRow.retired, *conditions).order_by(*order)
    return list(connection.scalars(statement))


_ELSEWHERE: Final = frozenset({ListColumn.PATH, ListColumn.FRONT, ListColumn.CONCEPT})
"""Columns of other tables, which are joined only where they are asked for."""


def path_counts(connection: Connection) -> list[tuple[int, int]]:
    """Return the concepts that have items, in the order of the path, with how many they have."""
    rows = connection.execute(
        select(ItemRow.concept_id, func.count())
        .where(~ItemRow.retired)
        .group_by(ItemRow.concept_id)
    )
    counts = {concept: number for concept, number in rows.all()}  # noqa: C416 - rows, not pairs
    order = connection.scalars(select(ConceptRow.id).order_by(*_PATH))
    return [(concept, counts[concept]) for concept in order if concept in counts]


def ids_of_concepts(connection: Connection, concepts: Sequence[int]) -> list[int]:
    """Return the numbers of the items of these concepts, in the order of the concepts."""
    found: dict[int, list[int]] = {concept: [] for concept in concepts}
    for some in _parts(concepts):
        rows = connection.execute(
            select(ItemRow.concept_id, ItemRow.id)
            .where(~ItemRow.retired, ItemRow.concept_id.in_(some))
            .order_by(ItemRow.position, ItemRow.id)
        )
        for concept, number in rows:
            found[concept].append(number)
    return [number for numbers in found.values() for number in numbers]


def listed_items(connection: Connection, ids: Sequence[int]) -> list[tuple[int, ListedItem]]:
    """Return items by their numbers, in the order given; those that are gone are left out."""
    found = {
        row[-1]: ListedItem(*row[:-1])
        for some in _parts(ids)
        for row in connection.execute(
            LISTED.add_columns(ItemRow.id).where(ItemRow.id.in_(some))
        ).all()
    }
    return [(number, found[number]) for number in ids if number in found]


def _parts(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (numbers[at : at + _AT_ONCE] for at in range(0, len(numbers), _AT_ONCE))
