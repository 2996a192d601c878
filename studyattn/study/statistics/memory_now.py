"""What is remembered now: phases, intervals, stability, difficulty, retrievability, dues. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median

from studyattn.memory import learner_day
from studyattn.memory.fit import retrievability
from studyattn.store.queries.items_now import ItemNow
from studyattn.study.statistics.answer_groups import MATURE_DAYS
from studyattn.text.counting import count
from studyattn.text.figure import Figure, Series, Shape

DAY_BOUNDS = (1, 2, 4, 7, 14, 21, 30, 60, 90, 180, 365)
"""Days; the classes of intervals and stabilities begin at each."""

_FORECAST = 365


@dataclass(frozen=True, slots=True)
class Present:
    """The present moment, and what a memory is computed with."""

    at: datetime  # aware, UTC
    utc_offset: int  # minutes east of UTC
    rollover: int  # hour at which a learner day begins
    parameters: Sequence[float]  # of FSRS-6, 21

    @property
    def today(self) -> date:
        """The learner day."""
        return self.day_of(self.at)

    def day_of(self, at: datetime) -> date:
        """Return the learner day of an instant on the learner's present clock."""
        return learner_day(at, self.utc_offset, self.rollover)


def recall_now(item: ItemNow, present: Present) -> float | None:
    """The chance of remembering an item now, by the forgetting curve; None for one that is new."""
    if item.stability is None or item.last_review is None:
        return None
    days = max(0.0, (present.at - item.last_review) / timedelta(days=1))  # in parts, as in Anki
    return retrievability(item.stability, days, present.parameters)


def interval_days(item: ItemNow, present: Present) -> int | None:
    """The learner days from the last answer to the next; None while it is learnt or new."""
    if item.phase != "review" or item.due is None or item.last_day is None:
        return None
    return max(1, (present.day_of(item.due) - item.last_day).days)


def phases(items: Iterable[ItemNow], present: Present) -> Figure:
    """Items by how far they are: each is counted once, set aside before anything else."""
    names = ("new", "learning", "relearning", "young", "mature", "suspended", "buried")
    counts: Counter[str] = Counter()
    for item in items:
        interval = interval_days(item, present)
        if item.suspended:
            counts["suspended"] += 1
        elif item.buried_until is not None and item.buried_until > present.today:
            counts["buried"] += 1
        elif interval is not None:
            counts["mature" if interval >= MATURE_DAYS else "young"] += 1
        else:
            counts[item.phase] += 1
    begun = counts["young"] + counts["mature"]
    meaning = (
        f"{counts['mature']:,} of {begun:,} learned items are mature, meaning reviewed every"
        f" {MATURE_DAYS} days or less often; {counts['new']:,} are new."
        if begun
        else f"{counts['new']:,} items are new; none has been learned yet."
    )
    values = tuple(float(counts[name]) for name in names)
    return Figure("items", "Items by phase", meaning, names, (Series("items", values),))


def intervals(items: Iterable[ItemNow], present: Present) -> Figure:
    """Items in review by the days between their last answer and the next."""
    known = (interval_days(item, present) for item in items)
    days = [each for each in known if each is not None]
    middle = median(days) if days else 0
    meaning = (
        f"Half of your items are reviewed every {middle:.0f} days or more often."
        if days
        else "No item is scheduled in days yet."
    )
    return _by_days("intervals", "Intervals", meaning, days)


def stability(items: Iterable[ItemNow]) -> Figure:
    """Begun items by stability: the days in which the chance of recall falls to 90%."""
    days = [each.stability for each in items if each.stability is not None]
    short = sum(each < DAY_BOUNDS[3] for each in days)
    meaning = (
        f"{count(short, 'item')} of {len(days):,} drop to 90% within a week. A week off affects "
        "these first."
        if days
        else "Nothing learned yet."
    )
    return _by_days("stability", "Stability", meaning, days)


def _by_days(name: str, title: str, meaning: str, days: Iterable[float]) -> Figure:
    counts = Counter(bisect_right(DAY_BOUNDS, each) for each in days)
    between = [
        f"{low} d" if high == low + 1 else f"{low} to {high - 1} d"
        for low, high in pairwise(DAY_BOUNDS)
    ]
    labels = (f"under {DAY_BOUNDS[0]} d", *between, f"{DAY_BOUNDS[-1]} d and more")
    values = tuple(float(counts[place]) for place in range(len(labels)))
    return Figure(name, title, meaning, labels, (Series("items", values),))


def difficulty(items: Iterable[ItemNow]) -> Figure:
    """Begun items by difficulty, from 1 to 10, in tenths of that range as Anki has it."""
    shares = [(each.difficulty - 1) / 9 for each in items if each.difficulty is not None]
    counts = Counter(min(9, int(10 * share + 1e-9)) for share in shares)
    hard = sum(counts[place] for place in (8, 9))
    meaning = (
        f"{count(hard, 'item')} of {len(shares):,} are very difficult for you: rewording or "
        "splitting a card helps more than repeating it."
        if shares
        else "Nothing learned yet."
    )
    labels = tuple(f"{10 * place} to {10 * place + 10}%" for place in range(10))
    values = tuple(float(counts[place]) for place in range(10))
    return Figure("difficulty", "Difficulty", meaning, labels, (Series("items", values),))


def recall(items: Iterable[ItemNow], present: Present) -> Figure:
    """Begun items by the chance of remembering them now."""
    known = [each for item in items if (each := recall_now(item, present)) is not None]
    counts = Counter(min(9, int(10 * each)) for each in known)
    meaning = (
        f"If all {len(known):,} begun items were asked now, you would recall about"
        f" {sum(known):,.0f} ({sum(known) / len(known):.1%})."
        if known
        else "Nothing learned yet."
    )
    labels = tuple(f"{10 * place} to {10 * place + 10}%" for place in range(10))
    values = tuple(float(counts[place]) for place in range(10))
    return Figure("retrievability", "Retrievability", meaning, labels, (Series("items", values),))


def future_due(items: Iterable[ItemNow], present: Present, days: int = _FORECAST) -> Figure:
    """Begun items by the learner day on which they come due next; what is overdue counts today."""
    counts: Counter[int] = Counter()
    overdue = 0
    for item in items:
        if item.due is not None and not item.suspended:
            ahead = (present.day_of(item.due) - present.today).days
            counts[max(0, ahead)] += 1
            overdue += ahead < 0
    labels = tuple((present.today + timedelta(days=ahead)).isoformat() for ahead in range(days))
    week = sum(counts[ahead] for ahead in range(1, 8))
    late = f" ({overdue:,} of them overdue)" if overdue else ""
    meaning = (
        f"{counts[0]:,} are due today{late} and {week:,} in the seven days after; each is counted "
        "once, on its next due day."
    )
    series = (Series("due", tuple(float(counts[ahead]) for ahead in range(days))),)
    return Figure("due", "Due next", meaning, labels, series, Shape.COLUMNS)
