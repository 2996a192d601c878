"""Concepts as the learner sees them: state, evidence, suggestions with reasons, joining, parting.

The learner decides; the program shows evidence and suggests. Every change of a state goes through
`store.concepts.record_change`, which keeps when, why and by whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, case, func, or_, select, update

from studyattn.errors import InputError, NotFoundError
from studyattn.memory import MemoryState, New, Phase, Rating, Remembered, standing
from studyattn.store.concepts import STATES, record_change
from studyattn.store.models import Attempt, Concept, ConceptChange, ConceptRequires, Item, Review
from studyattn.study.face import drill_id
from studyattn.study.learner import Learner
from studyattn.study.mistakes import MistakeSeen, mistakes_seen
from studyattn.study.records import MEMORY_COLUMNS, AnyRow, log_of
from studyattn.study.state import get_state, put_state
from studyattn.study.views import DRILL, Suggestion

UNSEEN, KNOWN_UNKNOWN, KNOWN = STATES
HELD_DAYS = 21  # a card held as long as this counts as known
DRILL_DAYS = 2  # learner days on which a drill has to be passed without its solution
_LATER = "suggestions.later"

Seen = Mapping[str, tuple[MistakeSeen, ...]]
"""Mistakes in code by the slug of the concept that they belong to."""


@dataclass(frozen=True, slots=True)
class ConceptLine:
    """A concept in a list."""

    slug: str
    title: str
    state: str  # unseen | known-unknown | known
    pack: str | None
    source: str | None  # the title of the document it was imported from
    core: bool
    joined_into: str | None  # slug of the concept that it is the same as
    cards: int
    held: int  # cards with a stability of HELD_DAYS or more
    drills: int


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item on its concept's page."""

    guid: str
    kind: str
    title: str
    phase: Phase
    stability: float | None  # days
    due: datetime | None
    lapses: int
    suspended: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a concept's state."""

    at: datetime
    from_state: str
    to_state: str
    reason: str
    author: str  # learner | import | program


@dataclass(frozen=True, slots=True)
class ConceptPage:
    """All that is known of one concept."""

    line: ConceptLine
    body: str  # Markdown
    requires: tuple[tuple[str, str], ...]  # (slug, title)
    unlocks: tuple[tuple[str, str], ...]
    joined: tuple[tuple[str, str], ...]  # concepts that were joined into this one
    items: tuple[ItemLine, ...]
    changes: tuple[Change, ...]  # oldest first
    mistakes: tuple[MistakeSeen, ...]
    suggestion: Suggestion | None


def list_concepts(learner: Learner, state: str | None = None) -> list[ConceptLine]:
    """Concepts in the order of their path, those of the packs first; joined ones too."""
    with learner.database.read() as connection:
        lines = _lines(connection)
    return [line for line in lines if state is None or line.state == state]


def show_concept(learner: Learner, slug: str) -> ConceptPage:
    """One concept with its evidence. Raises NotFoundError."""
    from studyattn.study.queue import details

    with learner.database.read() as connection:
        row = find_concept(connection, slug)
        line = next(each for each in _lines(connection) if each.slug == slug)
        items = _items(connection, row.id)
        titles = {each.guid: each.title for each in details(connection, [i.guid for i in items])}
        return ConceptPage(
            line=line,
            body=row.body,
            requires=_neighbours(connection, row.id, requires=True),
            unlocks=_neighbours(connection, row.id, requires=False),
            joined=tuple(
                (each.slug, each.title)
                for each in connection.execute(
                    select(Concept.slug, Concept.title).where(Concept.joined_into_id == row.id)
                )
            ),
            items=tuple(_item_line(each, titles.get(each.guid, "")) for each in items),
            changes=_changes(connection, row.id),
            mistakes=_mistakes(connection, row, mistakes_seen(connection)),
            suggestion=_suggest(connection, learner, row, items, mistakes_seen(connection)),
        )


def set_state(learner: Learner, slug: str, state: str, why: str = "") -> bool:
    """Move a concept to a state, on the learner's word. False when it is there already.

    Raises NotFoundError for the concept, InputError for the state.
    """
    with learner.database.write() as connection:
        concept = find_concept(connection, slug)
        return record_change(connection, concept.id, state, why, "learner", learner.clock.now())


def merge(learner: Learner, slug: str, into: str) -> None:
    """Say that two concepts are the same: `slug` speaks from now on with the name of `into`.

    Nothing is moved, so `part` brings back what was. Raises NotFoundError, or InputError when the
    two are one already.
    """
    with learner.database.write() as connection:
        concept, whole = find_concept(connection, slug), find_concept(connection, into)
        if concept.id == whole.id:
            raise InputError("a concept cannot be joined with itself", where=slug)
        if whole.joined_into_id is not None:
            raise InputError(f"{into} is itself joined into another concept", where=slug)
        connection.execute(
            update(Concept)
            .where(or_(Concept.id == concept.id, Concept.joined_into_id == concept.id))
            .values(joined_into_id=whole.id)
        )
        if concept.state != UNSEEN and whole.state == UNSEEN:
            reason = f"joined with “{concept.title}”, which is {concept.state}"
            record_change(
                connection, whole.id, concept.state, reason, "learner", learner.clock.now()
            )


def part(learner: Learner, slug: str) -> str:
    """Take a joined concept apart again; returns the slug it was joined into.

    Raises NotFoundError, or InputError when it is not joined.
    """
    with learner.database.write() as connection:
        concept = find_concept(connection, slug)
        if concept.joined_into_id is None:
            raise InputError(
                "it is not joined with another concept",
                where=slug,
                advice="`studyattn concept list` shows which ones are.",
            )
        connection.execute(
            update(Concept).where(Concept.id == concept.id).values(joined_into_id=None)
        )
        return connection.execute(
            select(Concept.slug).where(Concept.id == concept.joined_into_id)
        ).scalar_one()


def suggestions(learner: Learner) -> list[Suggestion]:
    """Changes of state that the evidence speaks for, those put off until tomorrow left out."""
    today = learner.today().isoformat()
    with learner.database.read() as connection:
        later: Mapping[str, str] = get_state(connection, _LATER) or {}
        worth_a_look = set(connection.scalars(_WORTH_A_LOOK))
        seen = mistakes_seen(connection)
        found = [
            _suggest(connection, learner, row, _items(connection, row.id), seen)
            for row in _rows(connection)
            if later.get(row.slug) != today
            and (row.id in worth_a_look or _mistakes(connection, row, seen))
        ]
    return [each for each in found if each is not None]


def suggestion_for(connection: Connection, learner: Learner, slug: str) -> Suggestion | None:
    """What the evidence says of one concept, put off or not. Raises NotFoundError."""
    row = find_concept(connection, slug)
    seen = mistakes_seen(connection)
    return _suggest(connection, learner, row, _items(connection, row.id), seen)


def accept(learner: Learner, suggestion: Suggestion) -> bool:
    """Do what was suggested, with its reason."""
    with learner.database.write() as connection:
        concept = find_concept(connection, suggestion.slug)
        return record_change(
            connection,
            concept.id,
            suggestion.to_state,
            suggestion.reason,
            "learner",
            learner.clock.now(),
        )


def put_off(learner: Learner, suggestion: Suggestion) -> None:
    """Do not suggest it again before the next learner day."""
    today = learner.today().isoformat()
    with learner.database.write() as connection:
        later: dict[str, str] = get_state(connection, _LATER) or {}
        kept = {slug: day for slug, day in later.items() if day == today}
        put_state(connection, _LATER, {**kept, suggestion.slug: today})


def find_concept(connection: Connection, slug: str) -> AnyRow:
    """The concept's row. Raises NotFoundError."""
    row = connection.execute(select(*_COLUMNS).where(Concept.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` shows all of them."
        )
    return row


_COLUMNS = (
    Concept.id,
    Concept.slug,
    Concept.title,
    Concept.state,
    Concept.body,
    Concept.pack,
    Concept.source_id,
    Concept.joined_into_id,
    Concept.core,
    Concept.position,
)


def _rows(connection: Connection) -> Sequence[AnyRow]:
    order = (Concept.pack.is_(None), Concept.pack, Concept.position, Concept.id)
    return connection.execute(select(*_COLUMNS).where(~Concept.retired).order_by(*order)).all()


def _lines(connection: Connection) -> list[ConceptLine]:
    from studyattn.store.models import Source

    sources = dict(connection.execute(select(Source.id, Source.title)).all())
    rows = _rows(connection)
    slugs = {row.id: row.slug for row in rows}
    cards: dict[int, int] = defaultdict(int)
    held: dict[int, int] = defaultdict(int)
    drills: dict[int, int] = defaultdict(int)
    is_held = func.coalesce(Item.stability, 0.0) >= HELD_DAYS
    counts = (
        select(Item.concept_id, Item.kind, func.count(), func.sum(case((is_held, 1), else_=0)))
        .where(~Item.retired)
        .group_by(Item.concept_id, Item.kind)
    )
    for concept_id, kind, count, held_count in connection.execute(counts):
        if kind == DRILL:
            drills[concept_id] = count
        else:
            cards[concept_id] += count
            held[concept_id] += held_count
    return [
        ConceptLine(
            slug=row.slug,
            title=row.title,
            state=row.state,
            pack=row.pack,
            source=sources.get(row.source_id),
            core=row.core,
            joined_into=slugs.get(row.joined_into_id),
            cards=cards[row.id],
            held=held[row.id],
            drills=drills[row.id],
        )
        for row in rows
    ]


_WHOLE = func.coalesce(Concept.joined_into_id, Concept.id)

# Concepts that could change: known ones that have items, and those of which no card is still weak.
_WORTH_A_LOOK = (
    select(_WHOLE)
    .join(Item, Item.concept_id == Concept.id)
    .where(~Item.retired, ~Item.suspended)
    .group_by(_WHOLE)
    .having(
        or_(
            func.max(case((Concept.state == KNOWN, 1), else_=0)) == 1,
            func.min(case((Item.kind != DRILL, func.coalesce(Item.stability, 0.0)), else_=9e9))
            >= HELD_DAYS,
        )
    )
)


def _items(connection: Connection, concept_id: int) -> Sequence[AnyRow]:
    """The items of a concept and of those joined into it."""
    return connection.execute(
        select(Item.guid, Item.kind, Item.suspended, *MEMORY_COLUMNS)
        .join(Concept, Concept.id == Item.concept_id)
        .where(~Item.retired, _WHOLE.in_((concept_id,)))
        .order_by(Item.kind, Item.position, Item.id)
    ).all()


def _item_line(row: AnyRow, title: str) -> ItemLine:
    return ItemLine(
        guid=row.guid,
        kind=row.kind,
        title=title,
        phase=Phase(row.phase),
        stability=row.stability,
        due=row.due,
        lapses=row.lapses,
        suspended=row.suspended,
    )


def _neighbours(
    connection: Connection, concept_id: int, *, requires: bool
) -> tuple[tuple[str, str], ...]:
    here, there = ConceptRequires.concept_id, ConceptRequires.requires_id
    if not requires:
        here, there = there, here
    rows = connection.execute(
        select(Concept.slug, Concept.title)
        .join(ConceptRequires, there == Concept.id)
        .where(here == concept_id, ~Concept.retired)
        .order_by(Concept.position)
    )
    return tuple((row.slug, row.title) for row in rows)


def _changes(connection: Connection, concept_id: int) -> tuple[Change, ...]:
    rows = connection.execute(
        select(
            ConceptChange.at,
            ConceptChange.from_state,
            ConceptChange.to_state,
            ConceptChange.reason,
            ConceptChange.author,
        )
        .where(ConceptChange.concept_id == concept_id)
        .order_by(ConceptChange.id)
    )
    return tuple(Change(*row) for row in rows)


def _attempts(connection: Connection, guids: Sequence[str]) -> Sequence[AnyRow]:
    """Graded submissions of these drills, oldest first."""
    return connection.execute(
        select(
            Attempt.item_guid,
            Attempt.at,
            Attempt.learner_day,
            Attempt.verdict,
            Attempt.revealed,
            Attempt.report,
        )
        .where(Attempt.item_guid.in_(guids))
        .order_by(Attempt.id)
    ).all()


def _mistakes(connection: Connection, concept: AnyRow, seen: Seen) -> tuple[MistakeSeen, ...]:
    """Misconceptions that grading tied to this concept or one joined into it, the latest first."""
    if not seen:
        return ()
    names = connection.execute(
        select(Concept.slug, Concept.pack).where(_WHOLE.in_((concept.id,)))
    ).all()
    # A pack's slug that another concept had first is stored behind the pack's id.
    slugs = {name.slug.removeprefix(f"{name.pack}-") for name in names if name.pack}
    slugs.update(name.slug for name in names)
    found = [each for slug in slugs for each in seen.get(slug, ())]
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def _suggest(
    connection: Connection,
    learner: Learner,
    concept: AnyRow,
    items: Sequence[AnyRow],
    seen: Seen,
) -> Suggestion | None:
    """What the evidence says of one concept; None when it says to leave it."""
    asked = [item for item in items if not item.suspended]
    if concept.joined_into_id is not None or not asked:
        return None
    to_state, reason = KNOWN_UNKNOWN, _mistaken(connection, concept, seen)
    if concept.state == KNOWN:
        reason = reason or _doubt(connection, learner, concept, asked)
    if concept.state != KNOWN and (reason is None or concept.state == KNOWN_UNKNOWN):
        to_state, reason = KNOWN, _proof(connection, asked)
    if reason is None:
        return None
    return Suggestion(concept.slug, concept.title, concept.state, to_state, reason)


def _proof(connection: Connection, items: Sequence[AnyRow]) -> str | None:
    """Why a concept may be called known, in words; None while something is missing."""
    cards = [item for item in items if item.kind != DRILL]
    drills = [item for item in items if item.kind == DRILL]
    if any(item.stability is None or item.stability < HELD_DAYS for item in cards):
        return None
    passed: dict[str, set[date]] = {item.guid: set() for item in drills}
    for attempt in _attempts(connection, list(passed)):
        if attempt.verdict == "passed" and not attempt.revealed:
            passed[attempt.item_guid].add(attempt.learner_day)
    if any(len(days) < DRILL_DAYS for days in passed.values()):
        return None
    parts = []
    if cards:
        every = "the card holds" if len(cards) == 1 else "every card holds"
        parts.append(f"{every} for {HELD_DAYS} days or more")
    if drills:
        each = "the drill was" if len(drills) == 1 else "each drill was"
        parts.append(f"{each} passed on two days")
    sentence = " and ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _mistaken(connection: Connection, concept: AnyRow, seen: Seen) -> str | None:
    """The mistake in code that speaks against knowing it, if any since its state last changed."""
    since = _last_change(connection, concept.id)
    mistakes = _mistakes(connection, concept, seen)
    if not mistakes or (since is not None and mistakes[0].last <= since):
        return None
    return f"Your code showed a mistake that belongs to it: {mistakes[0].title}"


def _last_change(connection: Connection, concept_id: int) -> datetime | None:
    return connection.execute(
        select(func.max(ConceptChange.at)).where(ConceptChange.concept_id == concept_id)
    ).scalar_one_or_none()


def _doubt(
    connection: Connection, learner: Learner, concept: AnyRow, items: Sequence[AnyRow]
) -> str | None:
    """Why a known concept may not be known any more; None when nothing speaks against it."""
    since = _last_change(connection, concept.id)
    if since is None:
        return None
    lapses = sum(_lapses_since(connection, learner, item.guid, since) for item in items)
    if lapses:
        times = "" if lapses == 1 else f" {lapses} times"
        return f"A card of it was forgotten{times} since {since:%d %b %Y}."
    drills = [item.guid for item in items if item.kind == DRILL]
    failed = [
        each
        for each in _attempts(connection, drills)
        if each.at > since and each.verdict != "passed"
    ]
    if failed:
        return (
            f"Its drill {drill_id(failed[-1].item_guid)} was not passed on {failed[-1].at:%d %b}."
        )
    return None


def _lapses_since(connection: Connection, learner: Learner, guid: str, since: datetime) -> int:
    """How often an item was forgotten, while in review, after an instant."""
    if not connection.execute(
        select(Review.id)
        .where(Review.item_guid == guid, Review.rating == Rating.AGAIN, Review.at > since)
        .limit(1)
    ).first():
        return 0
    reviews = standing(log_of(connection, guid))
    before = learner.scheduler.replay(guid, New(), [each for each in reviews if each.at <= since])
    after = learner.scheduler.replay(guid, New(), reviews)
    return _lapses(after) - _lapses(before)


def _lapses(state: MemoryState) -> int:
    return state.lapses if isinstance(state, Remembered) else 0
