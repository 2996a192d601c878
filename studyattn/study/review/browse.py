"""Looking through items: all of them with their memory, or those that a search finds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select
from sqlalchemy.orm import aliased

from studyattn.memory import Phase
from studyattn.store.models import BroughtBackRow, CardRow, ConceptRow, ItemRow
from studyattn.study.profile import Profile
from studyattn.study.records import AnyRow
from studyattn.study.review.card_loader import CardLoader, drill_id
from studyattn.study.review.queue import first_line
from studyattn.study.review.recorder import ReviewRecorder, no_such_item
from studyattn.study.review.views import RenderedCard


@dataclass(frozen=True, slots=True)
class BrowsedItem:
    """One item with its memory state."""

    guid: str
    kind: str  # card | drill
    card_kind: str | None
    title: str
    concept: str  # slug
    concept_title: str
    phase: Phase
    stability: float | None  # days
    difficulty: float | None  # 1–10
    due: datetime | None  # aware, UTC
    reps: int
    lapses: int
    suspended: bool
    marked: bool
    retired: bool


def items(profile: Profile, *, retired: bool = False) -> list[BrowsedItem]:
    """Every item along the path of its concepts; on request also those their pack dropped."""
    statement = _select() if retired else _select().where(~ItemRow.retired)
    with profile.database.read() as connection:
        return [_row(row) for row in connection.execute(statement)]


def search(profile: Profile, query: str = "", limit: int = 500) -> list[BrowsedItem]:
    """Items that have every word of `query` in their text, guid or concept, without regard to case.

    `is:new`, `is:learning`, `is:review`, `is:suspended`, `is:marked`, `is:leech`, `is:due`,
    `is:drill`, `is:bug`, `is:back` (for a mistake in code) and `concept:SLUG` narrow the search.
    """
    statement = _select().where(~ItemRow.retired).limit(limit)
    for word in query.split():
        statement = statement.where(_condition(profile, word.casefold()))
    with profile.database.read() as connection:
        return [_row(row) for row in connection.execute(statement)]


def show_item(profile: Profile, guid: str) -> RenderedCard:
    """An item as a session would show it. Raises NotFoundError."""
    with ReviewRecorder(profile) as recorder:
        face = CardLoader(recorder.driver, profile.home).read(guid)
    if face is None:
        raise no_such_item(guid)
    return face.shown


_Whole = aliased(ConceptRow)
_PATH = (
    ConceptRow.pack.is_(None),
    ConceptRow.pack,
    ConceptRow.position,
    ConceptRow.id,
    ItemRow.position,
    ItemRow.id,
)
_IS_BACK = exists().where(
    BroughtBackRow.item_guid == ItemRow.guid,
    BroughtBackRow.taken_back_at.is_(None),
    or_(ItemRow.last_review.is_(None), ItemRow.last_review < BroughtBackRow.at),
)
_slug = func.coalesce(_Whole.slug, ConceptRow.slug)


def _select() -> Select[*tuple[object, ...]]:
    return (
        select(
            ItemRow.guid,
            ItemRow.kind,
            CardRow.kind.label("card_kind"),
            CardRow.front,
            _slug.label("slug"),
            func.coalesce(_Whole.title, ConceptRow.title).label("title"),
            ItemRow.phase,
            ItemRow.stability,
            ItemRow.difficulty,
            ItemRow.due,
            ItemRow.reps,
            ItemRow.lapses,
            ItemRow.suspended,
            ItemRow.marked,
            ItemRow.retired,
        )
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .outerjoin(_Whole, _Whole.id == ConceptRow.joined_into_id)
        .outerjoin(CardRow, CardRow.item_id == ItemRow.id)
        .order_by(*_PATH)
    )


def _condition(profile: Profile, word: str) -> ColumnElement[bool]:
    now = profile.clock.now()
    states = {
        "is:new": ItemRow.phase == Phase.NEW,
        "is:learning": ItemRow.phase.in_((Phase.LEARNING, Phase.RELEARNING)),
        "is:review": ItemRow.phase == Phase.REVIEW,
        "is:suspended": ItemRow.suspended,
        "is:marked": ItemRow.marked,
        "is:leech": ItemRow.lapses >= profile.settings.scheduling.leech_lapses,
        "is:due": ItemRow.due <= now,
        "is:drill": ItemRow.kind == "drill",
        "is:bug": CardRow.kind == "bug",
        "is:back": _IS_BACK,
    }
    if word in states:
        return and_(states[word])
    if word.startswith("concept:"):
        return _slug == word.removeprefix("concept:")
    return or_(
        *(
            column.icontains(word, autoescape=True)
            for column in (ItemRow.guid, CardRow.front, CardRow.back, ConceptRow.title)
        )
    )


def _row(row: AnyRow) -> BrowsedItem:
    return BrowsedItem(
        guid=row.guid,
        kind=row.kind,
        card_kind=row.card_kind,
        title=drill_id(row.guid) if row.front is None else first_line(row.front),
        concept=row.slug,
        concept_title=row.title,
        phase=Phase(row.phase),
        stability=row.stability,
        difficulty=row.difficulty,
        due=row.due,
        reps=row.reps,
        lapses=row.lapses,
        suspended=row.suspended,
        marked=row.marked,
        retired=row.retired,
    )
