"""Looking through items: all of them, those of a concept, or those that a search finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    cast,
    false,
    func,
    not_,
    or_,
    select,
    text,
    type_coerce,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from studyattn.store.engine import is_sqlite
from studyattn.store.models import (
    BroughtBackRow,
    CardRow,
    ConceptRow,
    ItemRow,
    ReviewRow,
    SourceRow,
    Text,
)
from studyattn.store.parts import may_have
from studyattn.store.queries.items import IS_STILL_BACK
from studyattn.store.queries.rules import in_effect, of_item
from studyattn.store.search_schema import SearchKind

_AGAIN = 1  # the rating of an item that was forgotten


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
    tags: tuple[str, ...]


_Whole = aliased(ConceptRow)
_concept_slug = func.coalesce(_Whole.slug, ConceptRow.slug)
LISTED: Select[*tuple[Any, ...]] = (
    select(
        ItemRow.guid,
        ItemRow.kind,
        CardRow.kind,
        CardRow.front,
        _concept_slug,
        func.coalesce(_Whole.title, ConceptRow.title),
        ItemRow.phase,
        ItemRow.stability,
        ItemRow.difficulty,
        ItemRow.due,
        ItemRow.last_day,
        ItemRow.reps,
        ItemRow.lapses,
        ItemRow.suspended,
        ItemRow.marked,
        ItemRow.retired,
        ItemRow.tags,
    )
    .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
    .outerjoin(_Whole, _Whole.id == ConceptRow.joined_into_id)
    .outerjoin(CardRow, CardRow.item_id == ItemRow.id)
)


class ItemOrder(StrEnum):
    """The order in which items are listed."""

    PATH = "path"  # of their concepts
    HARDEST = "hardest"  # the most often forgotten first, then the most difficult
    SOONEST = "soonest"  # by when they are due, new ones last


_ORDERS: Mapping[ItemOrder, tuple[ColumnElement[Any] | InstrumentedAttribute[Any], ...]] = {
    ItemOrder.PATH: (),
    ItemOrder.HARDEST: (ItemRow.lapses.desc(), ItemRow.difficulty.desc()),
    ItemOrder.SOONEST: (ItemRow.due.is_(None), ItemRow.due),
}


def find_items(
    connection: Connection,
    words: Iterable[str] = (),
    *,
    now: datetime,
    today: date,
    leech_lapses: int,
    card_kinds: Collection[str] = (),
    retired: bool = False,
    limit: int | None = None,
    order: ItemOrder = ItemOrder.PATH,
) -> list[ListedItem]:
    """Return the items that match every word, in an order and then along their concepts' path.

    A word in lower case is looked for in an item's texts, guid and concept, or is one of the
    conditions `is:new` … `is:back`, `is:` with one of `card_kinds`, `tag:TAG`, `concept:SLUG`,
    `source:GUID` and `mistake:ID`; a minus before `is:`, `tag:` or `concept:` turns it round.
    `leech_lapses` is the number of lapses that makes a leech. Items that their pack dropped are
    found only on request.
    """
    statement = LISTED.order_by(
        *_ORDERS[order],
        ConceptRow.pack.is_(None),
        ConceptRow.pack,
        ConceptRow.position,
        ConceptRow.id,
        ItemRow.position,
        ItemRow.id,
    ).limit(limit)
    if not retired:
        statement = statement.where(~ItemRow.retired)
    wanted = conditions(
        connection,
        words,
        now=now,
        today=today,
        leech_lapses=leech_lapses,
        card_kinds=card_kinds,
    )
    statement = statement.where(*wanted)
    return [ListedItem(*row) for row in connection.execute(statement).all()]


def conditions(
    connection: Connection,
    words: Iterable[str],
    *,
    now: datetime,
    today: date,
    leech_lapses: int,
    card_kinds: Collection[str] = (),
) -> list[ColumnElement[bool]]:
    """Return what an item meets that matches every word, as `find_items` reads them."""
    matches = partial(_matches, indexed=is_sqlite(connection))
    return [matches(word, now, today, leech_lapses, card_kinds) for word in words]


def items_of_concept(connection: Connection, concept_id: int) -> list[ListedItem]:
    """Return the items of a concept and of those joined into it, cards before drills."""
    concepts = select(ConceptRow.id).where(
        or_(ConceptRow.id == concept_id, ConceptRow.joined_into_id == concept_id)
    )
    rows = connection.execute(
        LISTED.where(~ItemRow.retired, ItemRow.concept_id.in_(concepts)).order_by(
            ItemRow.kind, ItemRow.position, ItemRow.id
        )
    )
    return [ListedItem(*row) for row in rows.all()]


_TAGS = type_coerce(ItemRow.tags, Text)


def has_tag(tag: str) -> ColumnElement[bool]:
    """Return the condition that an item has a tag, in any case, or one below it."""
    return or_(
        _TAGS.icontains(f" {tag} ", autoescape=True), _TAGS.icontains(f" {tag}::", autoescape=True)
    )


def _forgotten_on(today: date) -> ColumnElement[bool]:
    """Return the condition that an item was rated `again` on a learner day."""
    return (
        select(ReviewRow.id)
        .where(
            text(of_item("review", "item.guid")),
            ReviewRow.learner_day == today,
            ReviewRow.rating == _AGAIN,
            text(in_effect()),
        )
        .exists()
    )


def _matches(
    word: str,
    now: datetime,
    today: date,
    leech_lapses: int,
    card_kinds: Collection[str],
    *,
    indexed: bool,
) -> ColumnElement[bool]:
    key, _, value = word.partition(":")
    if key in {"-is", "-tag", "-concept"}:
        met = _matches(word[1:], now, today, leech_lapses, card_kinds, indexed=indexed)
        return not_(func.coalesce(met, false()))
    if key == "is" and value in card_kinds:
        return CardRow.kind == value
    is_back = (
        select(BroughtBackRow.id)
        .where(BroughtBackRow.item_guid == ItemRow.guid, IS_STILL_BACK)
        .exists()
    )
    source = select(SourceRow.id).where(SourceRow.guid == value).scalar_subquery()
    mistakes = cast(CardRow.extra, Text)
    conditions: dict[str, ColumnElement[bool]] = {
        "is:new": ItemRow.phase == "new",
        "is:learning": ItemRow.phase.in_(("learning", "relearning")),
        "is:review": ItemRow.phase == "review",
        "is:begun": ItemRow.phase != "new",
        "is:suspended": and_(ItemRow.suspended),
        "is:marked": and_(ItemRow.marked),
        "is:leech": ItemRow.lapses >= leech_lapses,
        "is:due": ItemRow.due <= now,
        "is:card": ItemRow.kind == "card",
        "is:drill": ItemRow.kind == "drill",
        "is:today": ItemRow.last_day == today,
        "is:forgotten": _forgotten_on(today),
        "is:back": is_back,
        f"concept:{value}": _concept_slug == value,
        f"tag:{value}": has_tag(value),
        f"source:{value}": ItemRow.source_id == source,
        f"mistake:{value}": mistakes.icontains(f'"{value}"', autoescape=True),
    }
    return conditions[word] if word in conditions else _has_word(word, indexed=indexed)


def _has_word(word: str, *, indexed: bool) -> ColumnElement[bool]:
    """Return the condition that an item has a word in its texts, guid, tags or concept.

    Each table is searched by itself: together they would be joined for every item there is.
    """

    def has(*columns: Any) -> ColumnElement[bool]:
        return or_(*(column.icontains(word, autoescape=True) for column in columns))

    cards = select(CardRow.item_id).where(has(CardRow.front, CardRow.back))
    some = may_have(SearchKind.CARD, [word]) if indexed else None
    if some is not None:
        cards = cards.where(some)
    concepts = select(ConceptRow.id).where(has(ConceptRow.title))
    items = select(ItemRow.id).where(
        or_(has(ItemRow.guid, _TAGS), ItemRow.concept_id.in_(concepts))
    )
    return ItemRow.id.in_(union_all(cards, items))
