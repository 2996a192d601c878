"""A mistake with a name, as something that can be run or seen.

Most misconceptions change the drill's reference: one of the steps that its functions share, or a
whole function where they share none. The changed reference answers as a submission with the mistake
does. Other misconceptions leave the values right and show in what happened, such as a changed input
or a forbidden call; those name the `Sign` by which they are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from studyattn.grading.pack_errors import declared_at

Change = Mapping[str, Callable[..., Any]]
"""Steps of the reference, or entries of the drill, each name with what takes its place."""

Way = Change | Callable[[], Change]
"""A change, or a function that makes one for each question because its steps share a state."""


class Sign(Enum):
    """The sign of a misconception whose values may be right."""

    INPUT_CHANGED = auto()
    RESULT_CHANGED = auto()  # by a later call
    NO_GRADIENT = auto()  # at an input that has one
    GRADIENT_NOT_FINITE = auto()  # of right values
    WRONG_GRADIENT = auto()  # of right values
    TWO_ANSWERS = auto()  # the same call answered differently
    STATE_KEPT = auto()  # a call answered by what was asked before it
    LOW_PRECISION = auto()  # right to fewer digits
    FORBIDDEN_CALL = auto()
    COST = auto()


@dataclass(frozen=True, slots=True)
class Misconception:
    """One mistake, what to tell the learner of it, and how it is recognised.

    `title` is a sentence to the learner, `formula` the line of mathematics that it breaks (LaTeX),
    `concept` the slug of what to review. Each of `ways` is one form in which the mistake is met.
    `place` is the `file:line` that declares it, found when it is made.
    """

    id: str
    title: str
    formula: str
    concept: str
    ways: tuple[Way, ...] = ()
    sign: Sign | None = None
    place: str = field(default="", kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.place:
            object.__setattr__(self, "place", declared_at())


@dataclass(frozen=True, slots=True)
class Mistake:
    """One way of one misconception, or of several at once, ready to run."""

    misconceptions: tuple[Misconception, ...]
    ways: tuple[Way, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(misconception.id for misconception in self.misconceptions)

    def change(self) -> Change:
        """Return all that its ways change, with a state of its own where they have one."""
        changed: dict[str, Callable[..., Any]] = {}
        for way in self.ways:
            changed.update(change_of(way))
        return changed


def singles(misconceptions: Sequence[Misconception]) -> Iterator[Mistake]:
    """Every way of every misconception."""
    for misconception in misconceptions:
        for way in misconception.ways:
            yield Mistake((misconception,), (way,))


WAYS_IN_PAIRS = 64
"""Ways that are tried in pairs; the number of pairs grows with the square."""


def pairs(misconceptions: Sequence[Misconception]) -> Iterator[Mistake]:
    """Every two ways of different misconceptions that change different names.

    Where there are very many ways, the first ones of each misconception.
    """
    most = 8
    while most > 2 and sum(min(len(entry.ways), most) for entry in misconceptions) > WAYS_IN_PAIRS:
        most -= 1
    alone = [
        (Mistake((misconception,), (way,)), frozenset(change_of(way)))
        for misconception in misconceptions
        for way in misconception.ways[:most]
    ]
    for position, (first, names) in enumerate(alone):
        for second, other_names in alone[position + 1 :]:
            if first.misconceptions != second.misconceptions and not names & other_names:
                yield Mistake(
                    first.misconceptions + second.misconceptions, first.ways + second.ways
                )


def change_of(way: Way) -> Change:
    """Return the change itself, made now where `way` is a function that makes it."""
    return way() if callable(way) else way
