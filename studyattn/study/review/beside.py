"""What is shown beside a card: its answers so far, and where its concept stands among the others.

Read on its own, after the card is on the screen, because a card does not wait for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from studyattn.memory import MemoryState, New, Rating, Remembered, effective_reviews, elapsed_days
from studyattn.memory.fit import retrievability
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import (
    NeighbourRow,
    find_concept,
    joined_concepts,
    required_by,
    that_require,
)
from studyattn.study.concepts.board import ConceptLine, concept_lines
from studyattn.study.profile import Profile
from studyattn.study.records import log_of, starts_of

MOST_ANSWERS = 40
"""Answers that are read of a card, the last ones."""


@dataclass(frozen=True, slots=True)
class PastAnswer:
    """One answer to a card."""

    day: date  # learner day
    rating: Rating
    seconds: float
    stability: float  # days, after this answer


@dataclass(frozen=True, slots=True)
class CardContext:
    """Everything beside one card."""

    guid: str
    answers: tuple[PastAnswer, ...]  # those in effect, the latest last
    recall: float | None  # the chance of recalling it today, 0 to 1; None for a new card
    concept: ConceptLine
    requires: tuple[NeighbourRow, ...]  # direct ones, in the order of the path
    unlocks: tuple[NeighbourRow, ...]


def read_context(profile: Profile, guid: str, concept: str) -> CardContext:
    """Return what is beside the card `guid` of the concept with the slug `concept`.

    Raises NotFoundError for a concept that is not there.
    """
    with profile.database.read() as connection:
        row = find_concept(connection, concept)
        parts = joined_concepts(connection, row.id)
        numbers = (row.id, *(part.id for part in parts))
        (line,) = concept_lines(connection, profile.clock.now(), (row, *parts), (row,))
        answers, memory = _answers(connection, profile, guid)
        return CardContext(
            guid=guid,
            answers=answers[-MOST_ANSWERS:],
            recall=_recall(profile, memory),
            concept=line,
            requires=tuple(required_by(connection, numbers)),
            unlocks=tuple(that_require(connection, numbers)),
        )


def _answers(
    connection: Connection, profile: Profile, guid: str
) -> tuple[tuple[PastAnswer, ...], MemoryState]:
    """Return the answers to a card with what each made of its memory, and the memory now."""
    start = starts_of(connection, (guid,)).get(guid)
    state: MemoryState = New() if start is None else profile.scheduler.started(start)
    answers: list[PastAnswer] = []
    for review in effective_reviews(log_of(connection, guid)):
        if review.rating is None or (start is not None and review.at <= start.at):
            continue
        after = profile.scheduler.answer(
            guid, state, review.rating, review.at, review.utc_offset, review.uuid
        )
        answers.append(
            PastAnswer(review.learner_day, review.rating, review.seconds, after.stability)
        )
        state = after
    return tuple(answers), state


def _recall(profile: Profile, memory: MemoryState) -> float | None:
    if not isinstance(memory, Remembered):
        return None
    days = elapsed_days(memory.last_day, profile.today())
    return retrievability(memory.stability, days, profile.settings.scheduling.parameters)
