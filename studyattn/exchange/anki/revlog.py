"""Anki's review log of one card: which rows are reviews, and where the card's memory begins. Pure.

Anki works a card's memory out of its log, from the last time that the card was new. Rows of an
older life stay in the log and count no more. A log that does not reach back to that time says with
its first row of a day or more how the card was remembered then.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from studyattn.memory import MemoryStart

LEARNING, REVIEW, RELEARNING, FILTERED, MANUAL = 0, 1, 2, 3, 4  # kinds of rows
_DAY: Final = 86_400
_NEW_TYPE, REVIEW_TYPE, RELEARNING_TYPE = 0, 2, 3  # of cards; those of two are due by day
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
    learned = graded = reset = None  # places: of the last first learning row, and so on
    for place in reversed(range(len(rows))):
        row = rows[place]
        if row.crams:
            continue
        counts = row.counts
        if counts and (row.interval >= 1 or row.interval <= -_DAY):
            graded = place
        if counts and row.kind == LEARNING:
            learned = place
        elif row.resets:
            reset = place
            break
        elif learned is not None:
            break
    if learned is not None:
        if not any(row.counts for row in rows[:learned]):
            return None
        return Start(rows[learned].id - 1 if reset is None else rows[reset].id)
    if graded is not None:
        first = rows[graded]
        return Start(first.id, max(first.interval, 1), first.factor or _EASE)
    return _start_of_card(rows, card, changed)


def _start_of_card(rows: Sequence[RevlogRow], card: Schedule, changed: int) -> Start | None:
    """Return the start of a card whose log says nothing of its memory."""
    last = max((row.id for row in rows if row.counts or row.resets), default=0)
    if card.type == _NEW_TYPE or card.interval <= 0 or card.reps == 0:
        return Start(last) if any(row.counts for row in rows) else None
    reviewed, stability, difficulty = _memory_of(card.data)
    # At no row, which would be taken for what the memory began with.
    at = max(last + 1, int(reviewed or changed) * 1000)
    if stability is None or difficulty is None:
        return Start(at, card.interval, card.factor or _EASE)
    return Start(at, stability, MemoryStart.ease_of(difficulty))


def _memory_of(data: str) -> tuple[float | None, ...]:
    """Return a card's last review in seconds, stability and difficulty, as far as it keeps them."""
    try:
        told = json.loads(data or "{}")
    except ValueError:  # what add-ons may have written
        told = {}
    found = [told.get(key) if isinstance(told, dict) else None for key in ("lrt", "s", "d")]
    return tuple(
        float(each) if isinstance(each, int | float) and math.isfinite(each) and each > 0 else None
        for each in found
    )
