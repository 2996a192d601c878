"""The facts beside a card: its answers so far, and where its concept stands among the others.

Read on its own, after the card is on the screen, because a card does not wait for it.
"""

from __future__ import annotations

from typing import NamedTuple

from studyattn.memory import Remembered, elapsed_days
from studyattn.memory.intervals import retrievability
from studyattn.store.queries.concepts import (
    NeighbourRow,
    find_concept,
    joined_concepts,
    neighbours,
)
from studyattn.study.concepts.board import ConceptLine, concept_lines
from studyattn.study.profile import Profile
from studyattn.study.statistics.one_card import PastReview, read_story

MOST_ANSWERS = 40
"""Answers that are read of a card, the last ones."""


class CardContext(NamedTuple):
    """Everything beside one card."""

    guid: str
    answers: tuple[PastReview, ...]  # those in effect, the latest last
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
        (line,) = concept_lines(connection, profile, (row, *parts), (row,))
        answers, memory = read_story(connection, guid, profile.scheduler)
        recall = None
        if isinstance(memory, Remembered):
            days = elapsed_days(memory.last_day, profile.today())
            recall = retrievability(memory.stability, days, profile.scheduler.settings.parameters)
        return CardContext(
            guid=guid,
            answers=tuple(answers[-MOST_ANSWERS:]),
            recall=recall,
            concept=line,
            requires=tuple(neighbours(connection, numbers)),
            unlocks=tuple(neighbours(connection, numbers, that_require=True)),
        )
