"""Figures of what is remembered now: of items, of their concepts, and when they come due. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple

from studyattn.memory import learner_day
from studyattn.memory.intervals import retrievability
from studyattn.store.queries.items_now import ItemNow
from studyattn.study.rules.evidence import HELD_DAYS
from studyattn.text.counting import count
from studyattn.text.figure import Telling

DAY_BOUNDS = (1, 2, 4, 7, 14, 21, 30, 60, 90, 180, 365)
"""Days; the classes of intervals and stabilities begin at each."""

_TENTHS = tuple(f"{10 * place} to {10 * place + 10}%" for place in range(10))
_FORECAST = 365  # days

MATURE_DAYS: Final = 21
"""Days since the answer before from which a memory is mature, as Anki has it of intervals.

Only days count here: an answer of a learning step whose day ended meanwhile is one to a young
memory, and to Anki still one of learning.
"""

_FADING = 0.02
"""An item is fading if its chance of recall is this far below what is desired, or further."""


class Present(NamedTuple):
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


def phases(items: Iterable[ItemNow], present: Present) -> Telling:
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
    yield [(name, counts[name]) for name in names]
    begun = counts["young"] + counts["mature"]
    if not begun:
        return f"{counts['new']:,} items are new; none has been learned yet."
    return (
        f"{counts['mature']:,} of {begun:,} learned items are mature, meaning reviewed every"
        f" {MATURE_DAYS} days or less often; {counts['new']:,} are new."
    )


def stability(items: Iterable[ItemNow]) -> Telling:
    """Begun items by stability: the days in which the chance of recall falls to 90%."""
    days = [each.stability for each in items if each.stability is not None]
    counts = Counter(bisect_right(DAY_BOUNDS, each) for each in days)
    between = [
        f"{low} d" if high == low + 1 else f"{low} to {high - 1} d"
        for low, high in pairwise(DAY_BOUNDS)
    ]
    labels = (f"under {DAY_BOUNDS[0]} d", *between, f"{DAY_BOUNDS[-1]} d and more")
    yield [(label, counts[place]) for place, label in enumerate(labels)]
    short = sum(each < DAY_BOUNDS[3] for each in days)
    return (
        f"{count(short, 'item')} of {len(days):,} drop to 90% within a week. A week off affects "
        "these first."
    )


def difficulty(items: Iterable[ItemNow]) -> Telling:
    """Begun items by difficulty, from 1 to 10, in tenths of that range as Anki has it."""
    shares = [(each.difficulty - 1) / 9 for each in items if each.difficulty is not None]
    counts = Counter(min(9, int(10 * share + 1e-9)) for share in shares)
    yield [(label, counts[place]) for place, label in enumerate(_TENTHS)]
    return (
        f"{count(counts[8] + counts[9], 'item')} of {len(shares):,} are very difficult for you: "
        "rewording or splitting a card helps more than repeating it."
    )


def recall(items: Iterable[ItemNow], present: Present) -> Telling:
    """Begun items by the chance of remembering them now."""
    known = [each for item in items if (each := recall_now(item, present)) is not None]
    counts = Counter(min(9, int(10 * each)) for each in known)
    yield [(label, counts[place]) for place, label in enumerate(_TENTHS)]
    return (
        f"If all {len(known):,} begun items were asked now, you would recall about"
        f" {sum(known):,.0f} ({sum(known) / len(known):.1%})."
    )


def future_due(active: Iterable[ItemNow], present: Present) -> Telling:
    """Begun items by the learner day on which they come due next; what is overdue counts today."""
    ahead = [(present.day_of(each.due) - present.today).days for each in active if each.due]
    counts = Counter(max(0, days) for days in ahead)
    yield [(present.today + timedelta(days=days), counts[days]) for days in range(_FORECAST)]
    overdue, week = sum(days < 0 for days in ahead), sum(counts[days] for days in range(1, 8))
    late = f" ({overdue:,} of them overdue)" if overdue else ""
    return (
        f"{counts[0]:,} are due today{late} and {week:,} in the seven days after; each is counted "
        "once, on its next due day."
    )


class ConceptMemory(NamedTuple):
    """The items of one concept that are not suspended."""

    title: str
    items: int
    begun: int
    held: int  # hold for HELD_DAYS or more, and are not fading
    fading: int  # begun ones whose chance of recall is below what is desired
    known: float  # the items that would be recalled now, by estimate

    @property
    def knowledge(self) -> float:
        """The estimated share of the concept's items that would be recalled now."""
        return self.known / self.items


def concept_memories(
    active: Iterable[ItemNow], titles: Mapping[str, str], present: Present, desired: float
) -> list[ConceptMemory]:
    """Return the memory of each concept of which something was begun, the most fading first."""
    by_concept: defaultdict[str, list[float | None]] = defaultdict(list)
    held: Counter[str] = Counter()
    for item in active:
        chance = recall_now(item, present)
        by_concept[item.concept].append(chance)
        stable = item.stability is not None and item.stability >= HELD_DAYS
        held[item.concept] += stable and chance is not None and chance >= desired - _FADING
    found = []
    for slug, chances in by_concept.items():
        begun = [each for each in chances if each is not None]
        if begun:
            fading = sum(each < desired - _FADING for each in begun)
            title, numbers = titles.get(slug, slug), (len(chances), len(begun), held[slug], fading)
            found.append(ConceptMemory(title, *numbers, sum(begun)))
    return sorted(found, key=lambda each: (-each.fading, each.knowledge, each.title))


def knowledge(concepts: Sequence[ConceptMemory], active: Sequence[ItemNow]) -> Telling:
    """Estimated knowledge of all concepts begun, beside the items of all concepts."""
    shown = sorted(concepts, key=lambda each: (-each.knowledge, each.title))
    yield [(each.title, each.knowledge) for each in shown]
    known = sum(each.known for each in concepts)
    return (
        f"Of {len(active):,} items, you would recall about {known:,.0f} today, in "
        f"{count(len(concepts), 'concept')} started."
    )


def holding(concepts: Sequence[ConceptMemory]) -> Telling:
    """Tell what is held and what is fading, the most fading first."""
    yield [(each.title, each.items, each.begun, each.held, each.fading) for each in concepts]
    fading = [each for each in concepts if each.fading]
    if not fading:
        return "Nothing you have started is fading."
    return (
        f"Of {count(len(concepts), 'concept')} begun, {len(fading)}"
        f" {'has' if len(fading) == 1 else 'have'} fading items. “{fading[0].title}” has the most, "
        f"with {count(fading[0].fading, 'item')} below the desired retention: start there."
    )
