"""The figures of the summary, and what they mean for the learner today, in sentences. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from studyattn.memory.state import Phase, Rating
from studyattn.study.statistics.retention import Recall
from studyattn.text.counting import count

_FEWEST = 30  # answers from which a share says something


@dataclass(frozen=True, slots=True)
class Statistics:
    """The learner's figures."""

    items: int
    by_phase: Mapping[Phase, int]
    suspended: int
    leeches: int
    concepts: Mapping[str, int]  # by state
    concepts_begun: int  # of which something was asked, or whose state is not unseen
    reviews: int  # in effect: given and not taken back
    ratings: Mapping[Rating, int]
    retention: float | None  # of the last 30 days: recalled ÷ asked, of items held for days
    retention_of: int  # reviews that this is measured on
    seconds: float  # spent on answers, in all; of one to a card at most SECONDS.longest
    seconds_a_card: float
    streak: int
    by_day: Mapping[date, int]  # reviews of each of the last HISTORY_DAYS learner days that had any
    minutes: Mapping[date, float]  # spent on answers on each of these days
    months: Mapping[str, Recall]  # retention of their months, written as 2026-11
    held: Mapping[str, int]  # items by how long they hold: "under 1 d", "1 to 7 d", …
    forecast: tuple[tuple[date, int], ...]
    own_parameters: bool
    meaning: tuple[str, ...] = ()
    """Sentences that say what the figures mean for the learner today."""

    @property
    def begun(self) -> int:
        """Items that were asked at least once."""
        return self.items - self.by_phase.get(Phase.NEW, 0)


def summary_sentences(statistics: Statistics, desired: float) -> tuple[str, ...]:
    """Return a sentence each about recall, the coming days, what is held, and leeches if any.

    `desired` is the desired retention. Nothing is said of a log without reviews.
    """
    if not statistics.reviews:
        return ()
    sentences = [_recalled(statistics, desired), _coming(statistics), _begun(statistics)]
    if statistics.leeches:
        leeches = count(statistics.leeches, "card is a leech", "cards are leeches")
        sentences.append(f"{leeches}: reword or suspend cards that you keep forgetting.")
    return tuple(sentences)


def _recalled(statistics: Statistics, desired: float) -> str:
    share = statistics.retention
    if share is None or statistics.retention_of < _FEWEST:
        return "Too few answers in 30 days to measure recall: keep reviewing due items."
    told = f"You recall {share:.0%} and aim at {desired:.0%}"
    chance = 2 * (desired * (1 - desired) / statistics.retention_of) ** 0.5
    if abs(share - desired) <= chance:
        return f"{told}: within chance, so change nothing."
    if share < desired:
        return f"{told}: take fewer new cards for a few days, or run `studyattn stats --fit`."
    return f"{told}: `studyattn stats --fit` may save reviews."


def _coming(statistics: Statistics) -> str:
    numbers = [number for _, number in statistics.forecast]
    if not any(numbers):
        return "Nothing is due in the coming days: there is room for new cards."
    day, most = max(statistics.forecast, key=lambda each: each[1])
    minutes = most * statistics.seconds_a_card / 60
    if day == statistics.forecast[0][0]:
        return f"Today is the busiest of seven days, with {most:,} due, about {minutes:.0f} min."
    return f"The busiest coming day is {day:%A}, with {most:,} due, about {minutes:.0f} min."


def _begun(statistics: Statistics) -> str:
    held = statistics.by_phase.get(Phase.REVIEW, 0)
    left = statistics.items - statistics.begun
    told = f"{held:,} of {count(statistics.items, 'item')} are in review"
    return f"{told}; {left:,} are still new." if left else f"{told}, and none is new."
