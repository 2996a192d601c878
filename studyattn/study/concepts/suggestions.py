"""What the evidence says of a concept, and what it speaks for. The learner decides.

To `known`: every card holds for HELD_DAYS and every drill was passed without its solution on
DRILL_DAYS learner days. Back to `known-unknown`: a card was forgotten, a drill not passed again, or
grading recognised a mistake that belongs to the concept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from sqlalchemy import Connection, case, func, or_, select

from studyattn.memory import MemoryState, New, Rating, Remembered, effective_reviews
from studyattn.store.models import AttemptRow, ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.concepts import record_change
from studyattn.study.concepts.concept_rows import (
    KNOWN,
    KNOWN_UNKNOWN,
    WHOLE,
    concept_rows,
    find_concept,
    items_of,
    last_change,
)
from studyattn.study.practice.mistakes import MistakeSeen, mistakes_seen
from studyattn.study.profile import Profile
from studyattn.study.records import AnyRow, log_of
from studyattn.study.review.card_loader import drill_id
from studyattn.study.review.views import DRILL, Suggestion
from studyattn.study.state import get_state, put_state

HELD_DAYS = 21  # a card held as long as this counts as known
DRILL_DAYS = 2  # learner days on which a drill has to be passed without its solution
_LATER = "suggestions.later"


class Weight(StrEnum):
    """Which way a piece of evidence speaks."""

    FOR = "for"
    MISSING = "missing"
    AGAINST = "against"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that was seen of a concept, in words without a full stop."""

    weight: Weight
    text: str


Seen = Mapping[str, tuple[MistakeSeen, ...]]
"""Mistakes in code by the slug of the concept that they belong to."""


def suggestions(profile: Profile) -> list[Suggestion]:
    """Changes of state that the evidence speaks for, those put off until tomorrow left out."""
    with profile.database.read() as connection:
        later = put_off_today(connection, profile)
        worth_a_look = set(connection.scalars(_WORTH_A_LOOK))
        seen = mistakes_seen(connection)
        found = [
            suggest(connection, profile, row, items_of(connection, row.id), seen)
            for row in concept_rows(connection)
            if row.slug not in later
            and (row.id in worth_a_look or mistakes_of(connection, row, seen))
        ]
    return [each for each in found if each is not None]


def suggestion_for(connection: Connection, profile: Profile, slug: str) -> Suggestion | None:
    """What the evidence says of one concept, put off or not. Raises NotFoundError."""
    row = find_concept(connection, slug)
    seen = mistakes_seen(connection)
    return suggest(connection, profile, row, items_of(connection, row.id), seen)


def accept(profile: Profile, suggestion: Suggestion) -> bool:
    """Do what was suggested, with its reason."""
    with profile.database.write() as connection:
        concept = find_concept(connection, suggestion.slug)
        return record_change(
            connection,
            concept.id,
            suggestion.to_state,
            suggestion.reason,
            "learner",
            profile.clock.now(),
        )


def put_off(profile: Profile, suggestion: Suggestion) -> None:
    """Do not suggest it again before the next learner day."""
    today = profile.today().isoformat()
    with profile.database.write() as connection:
        later: dict[str, str] = get_state(connection, _LATER) or {}
        kept = {slug: day for slug, day in later.items() if day == today}
        put_state(connection, _LATER, {**kept, suggestion.slug: today})


def put_off_today(connection: Connection, profile: Profile) -> frozenset[str]:
    """Slugs of the concepts whose suggestion the learner put off until tomorrow."""
    today = profile.today().isoformat()
    later: Mapping[str, str] = get_state(connection, _LATER) or {}
    return frozenset(slug for slug, day in later.items() if day == today)


_ASKED = (ItemRow.concept_id == ConceptRow.id, ~ItemRow.retired, ~ItemRow.suspended)
_HAS_ITEMS = select(ItemRow.id).where(*_ASKED).exists()
_HAS_WEAK_CARD = (
    select(ItemRow.id)
    .where(*_ASKED, ItemRow.kind != DRILL)
    .where(or_(ItemRow.stability.is_(None), ItemRow.stability < HELD_DAYS))
    .exists()
)
# Concepts that could change: known ones that have items, and those of which no card is still weak.
# Looking for one weak card ends at the first; most concepts have many.
_WORTH_A_LOOK = (
    select(WHOLE)
    .where(_HAS_ITEMS)
    .group_by(WHOLE)
    .having(
        or_(
            func.max(case((ConceptRow.state == KNOWN, 1), else_=0)) == 1,
            func.max(case((_HAS_WEAK_CARD, 1), else_=0)) == 0,
        )
    )
)


def _attempts(connection: Connection, guids: Sequence[str]) -> Sequence[AnyRow]:
    """Graded submissions of these drills, oldest first."""
    return connection.execute(
        select(
            AttemptRow.item_guid,
            AttemptRow.at,
            AttemptRow.learner_day,
            AttemptRow.verdict,
            AttemptRow.revealed,
        )
        .where(AttemptRow.item_guid.in_(guids))
        .order_by(AttemptRow.id)
    ).all()


def mistakes_of(connection: Connection, concept: AnyRow, seen: Seen) -> tuple[MistakeSeen, ...]:
    """Misconceptions that grading tied to this concept or one joined into it, the latest first."""
    if not seen:
        return ()
    names = connection.execute(
        select(ConceptRow.slug, ConceptRow.pack).where(WHOLE.in_((concept.id,)))
    ).all()
    # A pack's slug that another concept had first is stored behind the pack's id.
    slugs = {name.slug.removeprefix(f"{name.pack}-") for name in names if name.pack}
    slugs.update(name.slug for name in names)
    found = [each for slug in slugs for each in seen.get(slug, ())]
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def suggest(
    connection: Connection,
    profile: Profile,
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
        reason = reason or _doubt(connection, profile, concept, asked)
    if concept.state != KNOWN and (reason is None or concept.state == KNOWN_UNKNOWN):
        to_state, reason = KNOWN, _proof(connection, asked)
    if reason is None:
        return None
    return Suggestion(concept.slug, concept.title, concept.state, to_state, reason)


def evidence(
    connection: Connection,
    profile: Profile,
    concept: AnyRow,
    items: Sequence[AnyRow],
    seen: Seen,
) -> tuple[Evidence, ...]:
    """What speaks for calling a concept known, what is missing, what speaks against it."""
    asked = [item for item in items if not item.suspended]
    cards = [item for item in asked if item.kind != DRILL]
    found = []
    if cards:
        held = sum(_holds(item) for item in cards)
        found.append(
            Evidence(
                Weight.FOR if held == len(cards) else Weight.MISSING,
                f"{held} of {len(cards)} {'card holds' if len(cards) == 1 else 'cards hold'}"
                f" for {HELD_DAYS} days or more",
            )
        )
    for guid, days in _days_passed(connection, asked).items():
        enough = len(days) >= DRILL_DAYS
        on_days = f"{len(days)} days" if enough else f"{len(days)} of {DRILL_DAYS} days"
        text = f"drill {drill_id(guid)} passed without its solution on {on_days}"
        found.append(Evidence(Weight.FOR if enough else Weight.MISSING, text))
    against = [_mistaken(connection, concept, seen)]
    if concept.state == KNOWN:
        against.append(_doubt(connection, profile, concept, asked))
    found += [Evidence(Weight.AGAINST, text.rstrip(".")) for text in against if text]
    return tuple(found)


def _proof(connection: Connection, items: Sequence[AnyRow]) -> str | None:
    """Why a concept may be called known, in words; None while something is missing."""
    cards = [item for item in items if item.kind != DRILL]
    if not all(_holds(item) for item in cards):
        return None
    passed = _days_passed(connection, items)
    if any(len(days) < DRILL_DAYS for days in passed.values()):
        return None
    parts = []
    if cards:
        every = "the card holds" if len(cards) == 1 else "every card holds"
        parts.append(f"{every} for {HELD_DAYS} days or more")
    if passed:
        each = "the drill was" if len(passed) == 1 else "each drill was"
        parts.append(f"{each} passed on two days")
    sentence = " and ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _holds(item: AnyRow) -> bool:
    return item.stability is not None and item.stability >= HELD_DAYS


def _days_passed(connection: Connection, items: Sequence[AnyRow]) -> dict[str, set[date]]:
    """The learner days on which each drill among the items was passed without its solution."""
    passed: dict[str, set[date]] = {item.guid: set() for item in items if item.kind == DRILL}
    for attempt in _attempts(connection, list(passed)):
        if attempt.verdict == "passed" and not attempt.revealed:
            passed[attempt.item_guid].add(attempt.learner_day)
    return passed


def _mistaken(connection: Connection, concept: AnyRow, seen: Seen) -> str | None:
    """The mistake in code that speaks against knowing it, if any since its state last changed."""
    since = last_change(connection, concept.id)
    mistakes = mistakes_of(connection, concept, seen)
    if not mistakes or (since is not None and mistakes[0].last <= since):
        return None
    return f"Your code showed a mistake that belongs to it: {mistakes[0].title}"


def _doubt(
    connection: Connection, profile: Profile, concept: AnyRow, items: Sequence[AnyRow]
) -> str | None:
    """Why a known concept may not be known any more; None when nothing speaks against it."""
    since = last_change(connection, concept.id)
    if since is None:
        return None
    lapses = sum(_lapses_since(connection, profile, item.guid, since) for item in items)
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


def _lapses_since(connection: Connection, profile: Profile, guid: str, since: datetime) -> int:
    """How often an item was forgotten, while in review, after an instant."""
    if not connection.execute(
        select(ReviewRow.id)
        .where(ReviewRow.item_guid == guid, ReviewRow.rating == Rating.AGAIN, ReviewRow.at > since)
        .limit(1)
    ).first():
        return 0
    reviews = effective_reviews(log_of(connection, guid))
    before = profile.scheduler.replay(guid, New(), [each for each in reviews if each.at <= since])
    after = profile.scheduler.replay(guid, New(), reviews)
    return _lapses(after) - _lapses(before)


def _lapses(state: MemoryState) -> int:
    return state.lapses if isinstance(state, Remembered) else 0
