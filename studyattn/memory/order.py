"""The order of the day's queue: what comes now, what comes another day.

Learning items that are due come first, since their minutes count; then reviews, the one that is
latest for its interval first; then new items, prerequisites before what builds on them. Which items
exist, and what was done today, the caller knows.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple, TypeVar

from studyattn.memory.state import Phase

LEARN_AHEAD = timedelta(minutes=20)
"""With nothing else left, a learning step that ends within this time is asked early."""

K = TypeVar("K", bound=Hashable)

AFTER_CARDS = 1 << 30
"""A rank of a new item behind every concept's cards."""


class Interleaving(StrEnum):
    """The place of drills among the cards of the day's session."""

    FIRST = "first"
    LAST = "last"
    MIXED = "mixed"
    CARDS_ONLY = "cards"


_LEARNING = (Phase.LEARNING, Phase.RELEARNING)
_DAY = timedelta(days=1)


class Candidate(NamedTuple):
    """The facts by which an item that is neither suspended nor buried is ordered."""

    guid: str
    phase: Phase
    due: datetime | None = None  # None: new
    last_review: datetime | None = None
    place: tuple[int, int] = (0, 0)  # among new items: rank of the concept, position within it
    siblings: str | None = None  # name of a group of which one a day is enough
    drill: bool = False
    late_since: date | None = None
    """The day since which a drill waits that has waited too long. It goes before other drills."""
    begun: bool = False
    """True for a long drill of which some steps passed: it counted as a drill when it was begun."""


class DayLimits(NamedTuple):
    """The number of each kind that today still allows. Drills count as drills in every phase."""

    new: int
    reviews: int
    drills: int
    new_drills: int | None = 0
    """The number of drills, among `drills`, that is kept for new ones as long as any wait. None:
    one is kept if it is late, and for a longer time than any that is due."""
    overdue: date | None = None
    """Drills that wait since this day or longer are asked whatever `drills` says."""

    def of_share(self, share: float) -> DayLimits:
        """Return the limits of a day with this share of a usual day's work, 0 to 1.

        What is due is asked in any case, except a drill on a day without a share.
        """
        drills = math.ceil(self.drills * share)
        kept = kept_for_new(drills)
        return self._replace(new=int(self.new * share), drills=drills, new_drills=kept)

    def lets_through(self, candidate: Candidate) -> bool:
        """Return whether a drill is asked that is over the limit, since it waits too long."""
        since = candidate.late_since
        return since is not None and self.overdue is not None and since <= self.overdue

    def after(self, *, new: int, reviews: int, drills: int, new_drills: int) -> DayLimits:
        """Return what is left after these answers of the day."""
        kept = self.new_drills
        return self._replace(
            new=max(0, self.new - new),
            reviews=max(0, self.reviews - reviews),
            drills=max(0, self.drills - drills),
            new_drills=None if kept is None else max(0, kept - new_drills),
        )


def kept_for_new(drills: int) -> int | None:
    """Return how many of a day's drills are kept for new ones, as `DayLimits.new_drills`."""
    return None if drills == 1 else min(drills, 1)


NOTHING: Final = DayLimits(new=0, reviews=0, drills=0)
"""The limits of a day of a vacation."""


class Queue(NamedTuple):
    """`items` in order; `buried` are siblings that wait for the next learner day."""

    items: tuple[Candidate, ...]
    buried: tuple[Candidate, ...]


def order_queue(
    candidates: Iterable[Candidate],
    at: datetime,
    limits: DayLimits,
    seen: Collection[str] = frozenset(),
    *,
    ahead: bool = False,
) -> Queue:
    """The queue at an instant. `seen` are the sibling groups that had an answer today.

    With `ahead`, reviews that are not due yet come last, the one that is due soonest first.

    A learning item is never buried: it was begun today and its step would be missed. An item over a
    limit is left out; its siblings do not take its place. A card that was asked yesterday and is
    due today gives way to a new sibling, which would else be held back for as long as it is daily.
    """
    groups = set(seen)
    left = {"new": limits.new, "reviews": limits.reviews, "drills": limits.drills}
    items: list[Candidate] = []
    buried: list[Candidate] = []
    in_order = _in_order(candidates, at, ahead=ahead)
    kept = _kept(in_order, limits.new_drills)
    first = set(islice(_new_siblings(in_order), limits.new))
    for candidate in in_order:
        if candidate.siblings is not None:
            gives_way = candidate.siblings in first and _is_daily(candidate, at)
            waits = candidate.siblings in groups or gives_way
            if waits and candidate.phase not in _LEARNING:
                buried.append(candidate)
                continue
            groups.add(candidate.siblings)
        if _takes_room(candidate, left, kept) or limits.lets_through(candidate):
            items.append(candidate)
    return Queue(tuple(items), tuple(buried))


def _new_siblings(candidates: Iterable[Candidate]) -> Iterator[str | None]:
    """Yield the groups of new cards."""
    for each in candidates:
        if each.phase is Phase.NEW and not each.drill:
            yield each.siblings


def _takes_room(candidate: Candidate, left: dict[str, int], kept: int) -> bool:
    """Take the room of a candidate from what is `left` of the limits; False where there is none.

    Of a day's drills so many are `kept` for new ones.
    """
    if candidate.begun or (not candidate.drill and candidate.phase in _LEARNING):
        return True
    new = "new" if candidate.phase is Phase.NEW else "reviews"
    budget = "drills" if candidate.drill else new
    written_before = candidate.drill and candidate.due is not None
    if left[budget] <= (kept if written_before else 0):
        return False
    left[budget] -= 1
    return True


def _is_daily(candidate: Candidate, at: datetime) -> bool:
    """Return whether a review was due a day after the last one, and is not late."""
    if candidate.due is None or candidate.last_review is None:
        return False
    return candidate.due - candidate.last_review <= _DAY and at - candidate.due < _DAY


def relative_overdueness(candidate: Candidate, at: datetime) -> float:
    """Lateness of a review in lengths of its interval: a day late is more after 2 than 200.

    An interval is whole learner days, whatever the hour of the last review. A review is due as its
    day begins, so every day that was begun since the last one counts.
    """
    if candidate.due is None or candidate.last_review is None:
        return 0.0
    days = math.ceil((candidate.due - candidate.last_review) / _DAY)
    return (at - candidate.due) / _DAY / max(days, 1)


def review_order(candidate: Candidate, at: datetime) -> tuple[float, float, str]:
    """The key that sorts reviews: the latest for its interval, then the one asked last, first."""
    asked = candidate.last_review.timestamp() if candidate.last_review else 0.0
    return -relative_overdueness(candidate, at), -asked, candidate.guid


def in_learning_order(wished: Iterable[K], requires: Callable[[K], Iterable[K]]) -> Iterator[K]:
    """Yield concepts (by their keys) as they are wished, but each after all that it requires.

    `requires` returns what a concept waits for, all of it wished too; it is asked of one after the
    other, and no more is read of `wished` than is taken. Concepts that require each other in a
    circle, which a pack's check refuses, come last.
    """
    done: set[K] = set()
    waits: dict[K, int] = {}  # for how many
    unlocks: defaultdict[K, list[tuple[int, K]]] = defaultdict(list)
    for place, concept in enumerate(wished):
        missing = set(requires(concept)) - done
        for each in missing:
            unlocks[each].append((place, concept))
        if missing:
            waits[concept] = len(missing)
        free = [] if missing else [(place, concept)]
        while free:
            _, each = heapq.heappop(free)
            yield each
            done.add(each)
            for other in unlocks.pop(each, ()):
                waits[other[1]] -= 1
                if not waits[other[1]]:
                    del waits[other[1]]
                    heapq.heappush(free, other)
    yield from waits


def _kept(in_order: Iterable[Candidate], new_drills: int | None) -> int:
    """Return how many drills are kept for new ones: no more than there are.

    Where several have waited too long and no due one has, it is more than the limit says: one a day
    would leave the last of them waiting for days.
    """
    due: list[date] = []  # since when each waits too long; date.max for one that does not
    new: list[date] = []
    for each in in_order:
        if each.drill and not each.begun:
            (due if each.due else new).append(each.late_since or date.max)
    longest = min(due, default=date.max)
    if new_drills is None:
        return sum(since < longest for since in new[:1])
    if longest == date.max:
        new_drills = max(new_drills, sum(since < date.max for since in new) - 1)
    return min(new_drills, len(new))


def _in_order(candidates: Iterable[Candidate], at: datetime, *, ahead: bool) -> list[Candidate]:
    learning: list[tuple[datetime, str, Candidate]] = []
    reviews: list[tuple[date, tuple[float, float, str], Candidate]] = []
    new: list[tuple[int, date, int, str, Candidate]] = []
    later: list[tuple[datetime, str, Candidate]] = []
    for each in candidates:
        late = each.late_since or date.max
        if each.due is None:
            rank, position = each.place
            new.append((rank, late, position, each.guid, each))
        elif each.due > at:
            if ahead and each.phase is Phase.REVIEW:
                later.append((each.due, each.guid, each))
        elif each.phase in _LEARNING:
            learning.append((each.due, each.guid, each))
        else:
            reviews.append((late, review_order(each, at), each))
    # A guid occurs once, so no comparison ever reaches the candidate itself.
    parts = (sorted(learning), sorted(reviews), sorted(new), sorted(later))
    return [entry[-1] for part in parts for entry in part]
