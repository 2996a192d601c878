"""A mistake with a name, as something that can be run or seen.

Most misconceptions change a step of the reference: the changed reference says what a submission
that has the mistake will answer. Others leave the values right and show in what happened, a
changed input or a forbidden call; those name the `Sign` by which they are known.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from studyattn.attention import STEPS, Steps

Change = Mapping[str, Callable[..., Any]]
"""Steps by name, each with what takes its place."""

Way = Change | Callable[[], Change]
"""A change, or what makes one anew for each attempt because its steps share a state."""


class Sign(Enum):
    """What is seen of a misconception whose values may be right."""

    INPUT_CHANGED = auto()
    RESULT_CHANGED = auto()  # by a later call
    NO_GRADIENT = auto()  # at an input that has one
    GRADIENT_NOT_FINITE = auto()  # of right values
    WRONG_GRADIENT = auto()  # of right values
    TWO_ANSWERS = auto()  # the same call answered differently
    LOW_PRECISION = auto()
    FORBIDDEN_CALL = auto()
    COST = auto()


@dataclass(frozen=True, slots=True)
class Misconception:
    """One mistake, what to tell the learner of it, and how it is recognised.

    `title` is a sentence to the learner, `formula` the line of mathematics that it breaks (LaTeX),
    `concept` the slug of what to review. Each of `ways` is one form in which the mistake is met.
    """

    id: str
    title: str
    formula: str
    concept: str
    ways: tuple[Way, ...] = ()
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class Mistake:
    """One way of one misconception, or of several at once, ready to run."""

    misconceptions: tuple[Misconception, ...]
    ways: tuple[Way, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(misconception.id for misconception in self.misconceptions)

    @property
    def has_state(self) -> bool:
        """Whether an answer may depend on the questions before it."""
        return any(callable(way) for way in self.ways)

    def steps(self) -> Steps:
        """The reference's steps with the mistake in them, and with a state of their own."""
        changed: dict[str, Callable[..., Any]] = {}
        for way in self.ways:
            changed.update(_change(way))
        return dataclasses.replace(STEPS, **changed)


def singles(misconceptions: Sequence[Misconception]) -> Iterator[Mistake]:
    """Every way of every misconception."""
    for misconception in misconceptions:
        for way in misconception.ways:
            yield Mistake((misconception,), (way,))


WAYS_IN_PAIRS = 64
"""Ways that are tried in pairs; the number of pairs grows with the square."""


def pairs(misconceptions: Sequence[Misconception]) -> Iterator[Mistake]:
    """Every two ways of different misconceptions that change different steps.

    Where there are very many ways, the first ones of each misconception.
    """
    most = 8
    while most > 2 and sum(min(len(entry.ways), most) for entry in misconceptions) > WAYS_IN_PAIRS:
        most -= 1
    alone = [
        (Mistake((misconception,), (way,)), frozenset(_change(way)))
        for misconception in misconceptions
        for way in misconception.ways[:most]
    ]
    for position, (first, steps) in enumerate(alone):
        for second, other_steps in alone[position + 1 :]:
            if first.misconceptions != second.misconceptions and not steps & other_steps:
                yield Mistake(
                    first.misconceptions + second.misconceptions, first.ways + second.ways
                )


def _change(way: Way) -> Change:
    return way() if callable(way) else way
