"""The state that the evidence suggests for a concept, and the evidence in words. Pure.

To `known`: every card is stable for HELD_DAYS and every drill was passed without its solution on
DRILL_DAYS learner days, and at the last attempt. From `known` to `known-unknown`: a card was
forgotten, a drill not passed again, or grading recognised a mistake that belongs to the concept;
the mistake alone moves an unseen concept there too. The learner decides, or lets the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from studyattn.store.vocabulary import KNOWN, KNOWN_UNKNOWN, UNSEEN
from studyattn.text.counting import count

HELD_DAYS = 21
"""Days of stability from which a card counts as known."""

DRILL_DAYS = 2
"""Learner days on which a drill has to be passed without its solution."""


class Weight(StrEnum):
    """The direction of a piece of evidence."""

    FOR = "for"
    MISSING = "missing"
    AGAINST = "against"


class Evidence(NamedTuple):
    """One observation about a concept, in words without a full stop."""

    weight: Weight
    text: str


class FailedDrill(NamedTuple):
    """An attempt that did not pass."""

    id: str
    at: datetime


class Suggestion(NamedTuple):
    """A change of a concept's state that the program would make, and why."""

    slug: str
    title: str
    from_state: str
    to_state: str
    reason: str  # a sentence for the learner


class ConceptFacts(NamedTuple):
    """Everything that the rules read of one concept, the concepts joined into it included.

    Suspended items are left out.
    """

    state: str
    stabilities: tuple[float | None, ...] = ()  # days, of its cards; None: not yet reviewed
    drill_days: Mapping[str, int] = MappingProxyType({})
    """By the id of each drill: learner days on which it was passed without its solution."""
    unpassed: tuple[str, ...] = ()  # ids of drills whose last attempt did not pass
    mistake: str | None = None  # title of the last mistake in code since `since`
    since: datetime | None = None  # when it came to its state; None: always in it
    lapses: int = 0  # of its items since `since`
    failed: FailedDrill | None = None  # the last attempt since `since` that did not pass

    @property
    def held(self) -> int:
        """Cards that hold for HELD_DAYS or more."""
        return sum(each is not None and each >= HELD_DAYS for each in self.stabilities)


def suggest_state(facts: ConceptFacts) -> tuple[str, str] | None:
    """Return the state that the evidence suggests and a sentence why, or None to leave it."""
    if not (facts.stabilities or facts.drill_days):
        return None
    mistake = _mistake(facts)
    if facts.state == KNOWN:
        to_state, reason = KNOWN_UNKNOWN, mistake or _doubt(facts)
    elif facts.state == UNSEEN and mistake is not None:
        to_state, reason = KNOWN_UNKNOWN, mistake
    else:
        to_state, reason = KNOWN, _proof(facts)
    return None if reason is None else (to_state, reason)


def list_evidence(facts: ConceptFacts) -> tuple[Evidence, ...]:
    """Return what speaks for calling a concept known, what is missing, and what speaks against."""
    found = []
    if facts.stabilities:
        cards = len(facts.stabilities)
        hold = count(cards, "card holds", "cards hold")
        found.append(
            Evidence(
                Weight.FOR if facts.held == cards else Weight.MISSING,
                f"{facts.held} of {hold} for {HELD_DAYS} days or more",
            )
        )
    for drill, days in facts.drill_days.items():
        enough = days >= DRILL_DAYS
        on_days = f"{days} days" if enough else f"{days} of {DRILL_DAYS} days"
        text = f"drill {drill} passed without its solution on {on_days}"
        found.append(Evidence(Weight.FOR if enough else Weight.MISSING, text))
    found += [
        Evidence(Weight.MISSING, f"the last attempt at drill {drill} did not pass")
        for drill in facts.unpassed
    ]
    against = (_mistake(facts), _doubt(facts) if facts.state == KNOWN else None)
    found += [Evidence(Weight.AGAINST, text.rstrip(".")) for text in against if text]
    return tuple(found)


def _proof(facts: ConceptFacts) -> str | None:
    """Return why a concept may be called known; None while something is missing."""
    if facts.held < len(facts.stabilities):
        return None
    if facts.unpassed or any(days < DRILL_DAYS for days in facts.drill_days.values()):
        return None
    parts = []
    if facts.stabilities:
        every = "the card is stable" if len(facts.stabilities) == 1 else "every card is stable"
        parts.append(f"{every} for {HELD_DAYS} days or more")
    if facts.drill_days:
        each = "the drill was" if len(facts.drill_days) == 1 else "each drill was"
        parts.append(f"{each} passed on two days")
    sentence = " and ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _mistake(facts: ConceptFacts) -> str | None:
    if facts.mistake is None:
        return None
    return f"Your code made a mistake from this topic: {facts.mistake}"


def _doubt(facts: ConceptFacts) -> str | None:
    """Return why a known concept may not be known any more; None when nothing speaks against it."""
    if facts.lapses and facts.since is not None:
        times = "" if facts.lapses == 1 else f" {facts.lapses} times"
        return f"One of its cards was forgotten{times} since {facts.since:%d %b %Y}."
    if facts.failed is not None:
        return f"Its drill {facts.failed.id} was not passed on {facts.failed.at:%d %b}."
    return None
