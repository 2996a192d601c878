"""Looking through items: all of them, those of a concept, or those that a search finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from studyattn.store.log_values import stored_day
from studyattn.store.queries.rules import STILL_BACK, in_effect, of_item
from studyattn.store.search_schema import SearchKind, as_pattern, contains, may_have
from studyattn.store.sql import Connection, Statements, is_sqlite, rows, values
from studyattn.store.tags import TagsRead
from studyattn.store.vocabulary import ListColumn


class ListedItem(NamedTuple):
    """One item in a list, with what is remembered of it."""

    guid: str
    kind: str  # card | drill
    card_kind: str | None
    front: str | None  # None for a drill
    concept_slug: str
    concept_title: str
    phase: str
    stability: float | None  # days
    difficulty: float | None  # 1–10
    due: datetime | None  # aware, UTC
    last_day: date | None  # learner day of the last review
    reps: int
    lapses: int
    suspended: bool
    marked: bool
    retired: bool
    tags: TagsRead


_SQL = Statements(__file__, contains=contains)
LISTED: Final = _SQL.listed
"""The columns of `ListedItem`, and the tables that they are read from."""
FROM: Final = LISTED[LISTED.index("FROM") :]


class Met(NamedTuple):
    """Conditions on an item, and what they are given."""

    conditions: list[str]
    given: dict[str, Any]


class ItemOrder(StrEnum):
    """The order in which items are listed."""

    PATH = "path"  # of their concepts
    HARDEST = "hardest"  # the most often forgotten first, then the most difficult
    SOONEST = "soonest"  # by when they are due, new ones last


_ORDERS: Final[Mapping[ItemOrder, str]] = {
    ItemOrder.PATH: "",
    ItemOrder.HARDEST: "item.lapses DESC, item.difficulty DESC,",
    ItemOrder.SOONEST: "item.due IS NULL, item.due,",
}
PATH: Final = "own.pack IS NULL, own.position, own.pack, own.id, item.position, item.id"
"""The order of items along the path of their concepts."""


def find_items(
    connection: Connection, wanted: Met, order: ItemOrder = ItemOrder.PATH, limit: int = 500
) -> list[ListedItem]:
    """Return the items that meet all conditions, in an order and then along their concepts' path.

    Items that their pack dropped are not found.
    """
    where = " AND ".join([*wanted.conditions, "NOT item.retired"])
    statement = f"{LISTED} WHERE {where} ORDER BY {_ORDERS[order]} {PATH} LIMIT {limit:d}"
    return rows(connection, ListedItem, statement, **wanted.given)


def conditions(
    connection: Connection,
    words: Iterable[str],
    *,
    now: datetime,
    today: date,
    leech_lapses: int,
    card_kinds: Collection[str] = (),
) -> Met:
    """Return what an item meets that matches every word.

    A word in lower case is looked for in an item's texts, guid and concept, or is one of the
    conditions `is:new` … `is:back`, `is:` with one of `card_kinds`, `tag:TAG`, `concept:SLUG`,
    `source:GUID` and `mistake:ID`; a minus before `is:`, `tag:` or `concept:` turns it round.
    `leech_lapses` is the number of lapses that makes a leech.
    """
    met = Met([], {"now": now, "today": today, "leech": leech_lapses, "day": stored_day(today)})
    indexed = is_sqlite(connection)
    for word in words:
        met.conditions.append(_matches(word, card_kinds, met.given, indexed=indexed))
    return met


def items_of_concept(connection: Connection, concept_id: int) -> list[ListedItem]:
    """Return the items of a concept and of those joined into it, cards before drills."""
    return rows(connection, ListedItem, f"{LISTED} {_SQL.of_concept}", concept=concept_id)


_IS: Final[Mapping[str, str]] = {
    "new": "item.phase = 'new'",
    "learning": "item.phase IN ('learning', 'relearning')",
    "review": "item.phase = 'review'",
    "begun": "item.phase <> 'new'",
    "suspended": "item.suspended",
    "marked": "item.marked",
    "leech": "item.lapses >= :leech",
    "due": "item.due <= :now",
    "card": "item.kind = 'card'",
    "drill": "item.kind = 'drill'",
    "today": "item.last_day = :today",
    "forgotten": f"EXISTS (SELECT 1 FROM review WHERE {of_item('review', 'item.guid')}"  # noqa: S608 - constants
    f" AND review.learner_day = :day AND review.rating = 1 AND {in_effect()})",
    "back": "EXISTS (SELECT 1 FROM brought_back"  # noqa: S608 - a constant
    f" WHERE brought_back.item_guid = item.guid AND {STILL_BACK})",
}
"""The conditions `is:WORD`."""

_WITH: Final[Mapping[str, str]] = {
    "concept": "concept.slug = {}",
    "source": "item.source_id = (SELECT id FROM source WHERE guid = {})",
    "mistake": contains("CAST(card.extra AS TEXT)", "{}"),
}
"""The conditions `NAME:VALUE`, but for tags."""


def has_tag(tag: str, given: dict[str, Any]) -> str:
    """Return the condition that an item has a tag, in any case, or one below it.

    What it is given is added to `given`.
    """
    name = f"tag{len(given)}"
    given |= {name: as_pattern(" ", tag, " "), f"{name}_below": as_pattern(" ", tag, "::")}
    below = contains("item.tags", f":{name}_below")
    return f"({contains('item.tags', f':{name}')} OR {below})"


def _matches(
    word: str, card_kinds: Collection[str], given: dict[str, Any], *, indexed: bool
) -> str:
    key, _, value = word.partition(":")
    if key in {"-is", "-tag", "-concept"}:
        met = _matches(word[1:], card_kinds, given, indexed=indexed)
        return f"NOT coalesce({met}, FALSE)"
    if key == "is" and value in _IS:
        return _IS[value]
    if key == "tag":
        return has_tag(value, given)
    name = f"word{len(given)}"
    if key == "is" and value in card_kinds:
        given[name] = value
        return f"card.kind = :{name}"
    if key in _WITH:
        given[name] = as_pattern('"', value, '"') if key == "mistake" else value
        return _WITH[key].format(f":{name}")
    given[name] = as_pattern(word)
    some = may_have(SearchKind.CARD, [word], given) if indexed else "TRUE"
    return _SQL.has_word.format(word=f":{name}", some=some)


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


def items_on_path(connection: Connection, *, retired: bool = False) -> Iterator[ListedItem]:
    """Yield every item along the path of the concepts, reading little further than they are taken.

    Items that their pack dropped are among them only on request.
    """
    concepts = values(connection, _SQL.path)
    for start in range(0, len(concepts), _AT_ONCE):
        some = concepts[start : start + _AT_ONCE]
        statement = f"{LISTED} {_SQL.of_concepts.format(retired=retired)} ORDER BY {PATH}"
        yield from rows(connection, ListedItem, statement, concepts=some)


_AT_ONCE: Final = 100  # concepts


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
