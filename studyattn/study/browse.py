"""Looking through items: all of them with their memory, or those that a search finds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select
from sqlalchemy.orm import aliased

from studyattn.memory import Phase
from studyattn.store.models import BroughtBack, Card, Concept, Item
from studyattn.study.face import Faces, drill_id
from studyattn.study.journal import Journal, no_such_item
from studyattn.study.learner import Learner
from studyattn.study.queue import first_line
from studyattn.study.records import AnyRow
from studyattn.study.views import Shown


@dataclass(frozen=True, slots=True)
class ItemRow:
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


def items(learner: Learner, *, retired: bool = False) -> list[ItemRow]:
    """Every item along the path of its concepts; on request also those their pack dropped."""
    statement = _select() if retired else _select().where(~Item.retired)
    with learner.database.read() as connection:
        return [_row(row) for row in connection.execute(statement)]


def search(learner: Learner, query: str = "", limit: int = 500) -> list[ItemRow]:
    """Items that have every word of `query` in their text, guid or concept, without regard to case.

    `is:new`, `is:learning`, `is:review`, `is:suspended`, `is:marked`, `is:leech`, `is:due`,
    `is:drill`, `is:bug`, `is:back` (for a mistake in code) and `concept:SLUG` narrow the search.
    """
    statement = _select().where(~Item.retired).limit(limit)
    for word in query.split():
        statement = statement.where(_condition(learner, word.casefold()))
    with learner.database.read() as connection:
        return [_row(row) for row in connection.execute(statement)]


def show_item(learner: Learner, guid: str) -> Shown:
    """An item as a session would show it. Raises NotFoundError."""
    with Journal(learner) as journal:
        face = Faces(journal.driver, learner.home).read(guid)
    if face is None:
        raise no_such_item(guid)
    return face.shown


_Whole = aliased(Concept)
_PATH = (
    Concept.pack.is_(None),
    Concept.pack,
    Concept.position,
    Concept.id,
    Item.position,
    Item.id,
)
_IS_BACK = exists().where(
    BroughtBack.item_guid == Item.guid,
    BroughtBack.taken_back_at.is_(None),
    or_(Item.last_review.is_(None), Item.last_review < BroughtBack.at),
)
_slug = func.coalesce(_Whole.slug, Concept.slug)


def _select() -> Select[*tuple[object, ...]]:
    return (
        select(
            Item.guid,
            Item.kind,
            Card.kind.label("card_kind"),
            Card.front,
            _slug.label("slug"),
            func.coalesce(_Whole.title, Concept.title).label("title"),
            Item.phase,
            Item.stability,
            Item.difficulty,
            Item.due,
            Item.reps,
            Item.lapses,
            Item.suspended,
            Item.marked,
            Item.retired,
        )
        .join(Concept, Concept.id == Item.concept_id)
        .outerjoin(_Whole, _Whole.id == Concept.joined_into_id)
        .outerjoin(Card, Card.item_id == Item.id)
        .order_by(*_PATH)
    )


def _condition(learner: Learner, word: str) -> ColumnElement[bool]:
    now = learner.clock.now()
    states = {
        "is:new": Item.phase == Phase.NEW,
        "is:learning": Item.phase.in_((Phase.LEARNING, Phase.RELEARNING)),
        "is:review": Item.phase == Phase.REVIEW,
        "is:suspended": Item.suspended,
        "is:marked": Item.marked,
        "is:leech": Item.lapses >= learner.settings.scheduling.leech_lapses,
        "is:due": Item.due <= now,
        "is:drill": Item.kind == "drill",
        "is:bug": Card.kind == "bug",
        "is:back": _IS_BACK,
    }
    if word in states:
        return and_(states[word])
    if word.startswith("concept:"):
        return _slug == word.removeprefix("concept:")
    return or_(
        *(
            column.icontains(word, autoescape=True)
            for column in (Item.guid, Card.front, Card.back, Concept.title)
        )
    )


def _row(row: AnyRow) -> ItemRow:
    return ItemRow(
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
