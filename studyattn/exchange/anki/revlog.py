"""Anki's review log of one card: which rows are reviews, and where the card's memory begins. Pure.

Anki works a card's memory out of its log, from the last time that the card was new. Rows of an
older life stay in the log and count no more. A log that does not reach back to that time says with
its first row of a day or more how the card was remembered then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from studyattn.memory import MemoryStart

LEARNING, REVIEW, RELEARNING, FILTERED, MANUAL = 0, 1, 2, 3, 4  # kinds of rows
_DAY: Final = 86_400
REVIEW_TYPE, RELEARNING_TYPE = 2, 3  # of cards; those of two are due by day
_INSTANTS: Final = 1_000_000  # a due of this size or more is not a day, but seconds
_EASE: Final = 2500  # what Anki takes for a row without one


class RevlogRow(NamedTuple):
    """A row of Anki's table `revlog`, without its card; as JSON it is kept with the card."""

    id: int
    """When, in milliseconds; the only row of its number."""
    ease: int
    """The button, from 1 to 4; 0 when the row is no answer."""
    interval: int
    """Days, or negative seconds."""
    last: int
    """The interval before."""
    factor: int
    time: int
    """Milliseconds that the answer took."""
    kind: int

    @property
    def crams(self) -> bool:
        """An answer in a filtered deck that moved no memory."""
        return self.kind == FILTERED and self.factor == 0

    @property
    def counts(self) -> bool:
        """An answer that moves the memory."""
        return 1 <= self.ease <= 4 and (self.kind != FILTERED or self.factor != 0)

    @property
    def learns(self) -> bool:
        """An answer of a learning step."""
        return self.counts and self.kind == LEARNING

    @property
    def passes_days(self) -> bool:
        """An answer after which the card waits for a day or more."""
        return self.counts and (self.interval >= 1 or self.interval <= -_DAY)

    @property
    def resets(self) -> bool:
        """The card was made new again."""
        return self.kind == MANUAL and self.factor == 0


class Schedule(NamedTuple):
    """The columns of Anki's `cards` that say how a card is remembered; kept as JSON."""

    type: int
    queue: int
    due: int
    """A place among the new, an instant in seconds, or a day; kept as days since 1970."""
    interval: int
    factor: int
    reps: int
    lapses: int
    left: int
    flags: int
    data: str

    @property
    def is_due_by_day(self) -> bool:
        """`due` is a day."""
        return self.type in {REVIEW_TYPE, RELEARNING_TYPE} and self.due < _INSTANTS


class Start(NamedTuple):
    """The instant at which a card's memory begins; without interval and ease it is new again."""

    at: int
    """Milliseconds."""
    interval: float | None = None
    ease: float | None = None


def begins_with_learning(rows: Sequence[tuple[int, ...]]) -> bool:
    """Return whether a log is answers alone, those of learning first, as most are.

    All of them count then, and the memory begins with them.
    """
    if not rows:
        return False
    _, eases, *_, kinds = zip(*rows, strict=True)
    learned = kinds.count(LEARNING)
    is_answers = min(eases) >= 1 and max(eases) <= 4 and max(kinds) < FILTERED
    return is_answers and 0 < learned == kinds[:learned].count(LEARNING)


def memory_start(rows: Sequence[RevlogRow], card: Schedule, changed: int) -> Start | None:
    """Return where the memory of a card begins, given its log by time; None for "with its log".

    `changed` is when its row was changed, in seconds.
    """
    begin = max((at for at, row in enumerate(rows, start=1) if row.resets), default=0)
    life = [row for row in rows[begin:] if not row.crams]
    after = max((at for at, row in enumerate(life, start=1) if row.learns), default=0)
    if after:
        return _start_of_steps(rows[:begin], life[:after])
    if graded := next(filter(attrgetter("passes_days"), life), None):
        return Start(graded.id, max(graded.interval, 1), graded.factor or _EASE)
    return _start_of_card(rows, card, changed)


def _start_of_steps(older: Sequence[RevlogRow], life: Sequence[RevlogRow]) -> Start | None:
    """Return the start of a card by the learning steps with which `life` ends.

    The rows before them in it are of a life that an older Anki did not end with a reset.
    """
    steps = [*takewhile(attrgetter("learns"), reversed(life))]
    before = life[: -len(steps)]
    if not any(row.counts for row in (*older, *before)):
        return None
    return Start(older[-1].id if older and not before else steps[-1].id - 1)


def _start_of_card(rows: Sequence[RevlogRow], card: Schedule, changed: int) -> Start | None:
    """Return the start of a card whose log says nothing of its memory."""
    last = max((row.id for row in rows if row.counts or row.resets), default=0)
    if min(card.type, card.interval, card.reps) <= 0:  # a type of 0 is that of new cards
        return Start(last) if any(row.counts for row in rows) else None
    memory = _memory_of(card.data)
    # At no row, which would be taken for what the memory began with.
    at = max(last + 1, int(memory.get("lrt", changed)) * 1000)
    if not {"s", "d"} <= memory.keys():
        return Start(at, card.interval, card.factor or _EASE)
    return Start(at, memory["s"], MemoryStart.ease_of(memory["d"]))


def _memory_of(data: str) -> dict[str, float]:
    """Return what a card keeps: its last review in seconds (lrt), stability and difficulty."""
    try:
        told = json.loads(data or "{}")
    except ValueError:  # what add-ons may have written
        told = {}
    return {
        key: float(each)
        for key, each in (told.items() if isinstance(told, dict) else ())
        if isinstance(each, int | float) and math.isfinite(each) and each > 0
    }
