"""The days to come as the plan of a day fills them: when each new item is first asked.

The same rules choose what a real day asks: `memory.order.order_queue`, `pace.admitted` and
`pace.late_since`. Who begins today with nothing begun is a newcomer; who goes on has begun items
and what was done today. Days are planned by the pace that the learner has.

The days on which items are first asked are told as ranges (`between`) of a few simulations: each
takes one value of what is not known of a learner (the times of cards and drills, recall), and each
value stands in one simulation. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice
from statistics import mean, stdev
from typing import Final, NamedTuple

from studyattn.grouping import grouped
from studyattn.memory import Phase, Rating, SchedulingSettings, day_start
from studyattn.memory.order import AFTER_CARDS, Candidate, DayLimits, order_queue
from studyattn.memory.state import is_drill
from studyattn.study.rules.days_ahead import HORIZON
from studyattn.study.rules.evidence import DRILL_DAYS, HELD_DAYS
from studyattn.study.rules.pace import AGAIN, Asked, DoneToday, admitted, late_since, overdue
from studyattn.study.rules.simulation import Answered, Learner, PlannedItem, Simulation

_QUANTILES: Final = (-1.28, -0.52, 0.0, 0.52, 1.28)
_ORDERS: Final = ((0, 1, 2, 3, 4), (0, 4, 3, 2, 1), (2, 1, 4, 0, 3))
"""The quantile of drills' times, cards' times and forgetting in each simulation.

No two of the three go together, nor against each other: else the range would be too wide, or what
one of them adds would be taken away by the other.
"""

_WIDTH: Final = 1.31
"""Standard deviations of five simulations to each side of their mean that hold eight of ten: the
90th percentile of the normal distribution, 1.28, in deviations of its five quantiles, 0.977.
"""

_FORECAST: Final = 0.9
_RECALL_SPREAD: Final = 0.06  # of learners' shares recalled, where 90 percent are forecast


class Recall(NamedTuple):
    """The share that a learner recalls where 90 percent are forecast, and how sure that is."""

    share: float
    doubt: float  # standard deviation

    @classmethod
    def of(cls, forecasts: Sequence[float], recalled: int) -> Recall:
        """Return what so many of the reviews with these forecasts being recalled shows."""
        prior = _FORECAST * (1 - _FORECAST) / _RECALL_SPREAD**2
        wanted = recalled + prior * _FORECAST
        low, high = 0.1, 5.0  # powers of the forecasts, between which the one is that gives as many
        for _ in range(12):
            power = (low + high) / 2
            if sum(each**power for each in forecasts) + prior * _FORECAST**power > wanted:
                low = power
            else:
                high = power
        share = _FORECAST**high
        return cls(share, math.sqrt(share * (1 - share) / (len(forecasts) + prior + 1)))

    def forgets(self, off: float = 0.0) -> float:
        """Return `Learner.forgets` if the share is so many standard deviations lower."""
        share = min(0.99, max(0.3, self.share - off * self.doubt))
        return math.log(share) / math.log(_FORECAST)


def likely_learners(learner: Learner, recall: Recall) -> list[Learner]:
    """Return the learners that this one may be."""
    return [
        replace(
            learner,
            pace=learner.pace.varied(cards=_QUANTILES[cards], drills=_QUANTILES[drills]),
            forgets=recall.forgets(_QUANTILES[forgets]),
        )
        for drills, cards, forgets in zip(*_ORDERS, strict=True)
    ]


def first_days(  # noqa: PLR0917 - all of one simulation
    learners: Iterable[Learner],
    items: Sequence[PlannedItem],
    wishes: Wishes,
    settings: SchedulingSettings,
    today: date,
    so_far: SoFar | None = None,
) -> list[Mapping[str, int]]:
    """Return for each learner the day on which each new item is first asked; 0 is today.

    What comes too late is left out.
    """
    found: list[Mapping[str, int]] = []
    for seed, learner in enumerate(learners):
        way = Evenings(items, wishes, learner, settings, today, HORIZON, so_far=so_far, seed=seed)
        for day in range(HORIZON):
            if way.all_begun:
                break
            way.study(day)
        found.append(way.first)
    return found


def between(days: Sequence[float]) -> tuple[int, int | None]:
    """Return the first and last day that are likely, of the days in each simulation.

    A day that is infinite is later than was looked; with one of them the range has no last day.
    """
    known = [math.log1p(day) for day in days if day != math.inf]
    if not known:
        return HORIZON, None
    middle = mean(known)
    spread = _WIDTH * (stdev(known) if len(known) > 1 else 0.0)
    soonest = max(0, math.floor(math.expm1(middle - spread)))
    if len(known) < len(days):
        return soonest, None
    return soonest, math.ceil(math.expm1(middle + spread))


def reached(days: Sequence[Mapping[str, int]], guids: Collection[str]) -> list[float]:
    """Return the day in each simulation on which the last of some new items was asked."""
    return [max((each.get(guid, math.inf) for guid in guids), default=0) for each in days]


_HOUR: Final = timedelta(hours=15)  # after the day begins: the evening
_STUDIED: Final = 30  # days of which it is known whether something was answered
_SPARE: Final = 10  # new cards that are looked at beyond the limit: some are siblings


class Wishes(NamedTuple):
    """The learner's wishes for each day."""

    limits: DayLimits
    budget: float  # seconds; 0 for no limit


class SoFar(NamedTuple):
    """The past of the first day that is simulated, and that day so far."""

    studied: tuple[date, ...] = ()  # the latest days with an answer, the latest first
    done: DoneToday = DoneToday()
    nothing_new: int = 0  # days on which nothing new is asked, since a backlog is spread


class PackDay(NamedTuple):
    """The part of one pack in a simulated day."""

    new: int = 0
    minutes: float = 0.0


class SimulatedDay(NamedTuple):
    """One learner day. `reviews` are all answers to cards, steps of minutes among them."""

    day: int  # 1 is the first
    new: int
    reviews: int
    drills: int
    card_minutes: float
    drill_minutes: float
    met: int  # concepts of which something was seen by the end of the day
    of_packs: Mapping[str, PackDay]  # by the pack's id; only those of which something was asked

    @property
    def minutes(self) -> float:
        return self.card_minutes + self.drill_minutes


class Evenings(Simulation):
    """Someone who studies every day but on vacation, what the day's plan asks."""

    def __init__(  # noqa: PLR0917 - all of one simulation
        self,
        items: Sequence[PlannedItem],
        wishes: Wishes,
        learner: Learner,
        settings: SchedulingSettings,
        first: date,
        days: int,
        *,
        so_far: SoFar | None = None,
        seed: int | str = 0,
    ) -> None:
        super().__init__(learner, settings, first, days, seed=seed)
        so_far = so_far or SoFar()
        self._wishes, self._so_far = wishes, so_far
        self._pace, self._begins = learner.pace, day_start(first, 0, settings.rollover_hour)
        self._studied = list(so_far.studied)
        self.walked = {each.guid: replace(each) for each in items}
        self._places = {guid: place for place, guid in enumerate(self.walked)}
        unseen = {guid: each for guid, each in self.walked.items() if each.new}
        self._new_cards = {guid: each for guid, each in unseen.items() if not each.drill}
        self._missing = {
            guid: set(each.before & unseen.keys()) for guid, each in unseen.items() if each.drill
        }
        self._drills = {  # those that may be asked, new or due
            guid: unseen[guid] for guid, before in self._missing.items() if not before
        }
        self._opened = 0  # drills that became available
        self._done = DoneToday()  # what the evening asked that was new, and its drills
        self._groups: set[str] = set()
        self._unread = grouped((each.concept, each) for each in self._new_cards.values())
        self.first: dict[str, int] = {}  # the day of the first answer to each new item
        self.passed: dict[str, set[int]] = {}  # days on which each drill was
        self.waits: list[tuple[int, str, bool]] = []  # study days, drill, whether it was new
        self.met: dict[str, int] = {}
        for item in self.walked.values():
            if not item.new:
                self.add(item)

    @property
    def all_begun(self) -> bool:
        """Return whether every new item was asked."""
        return not (self._new_cards or self._missing)

    def study(self, day: int) -> SimulatedDay:
        """Study one evening, the day's share of a usual one."""
        come = self.comes[day]
        self._done = DoneToday() if day else self._so_far.done
        self._groups = set(self._done.sibling_groups)
        if self.vacation[day]:
            for item in come:
                self.wait(item, day + 1)
            return self._told(day, [])
        self._drills |= {each.guid: each for each in come if each.drill}
        share = self.shares[day]
        limits, budget = self._wishes.limits.of_share(share), self._wishes.budget * (share or 1)
        cards = self._due_cards(come, limits, day)
        besides = sum(each.weight * AGAIN * self._pace.of_kind(each.kind) for each in cards)
        given = [self._answered(each, day) for each in cards]
        late, opened = self._late(), -1
        while opened != self._opened:  # cards of the evening may have made a drill available
            opened = self._opened
            chosen = self._chosen(day, limits, budget, besides, late)
            given += [self._answered(each, day, steps) for each, steps in chosen]
        if given:
            self._studied = [self.dates[day], *self._studied[:_STUDIED]]
        return self._told(day, given)

    def is_held(self, guid: str) -> bool:
        """Apply the rule by which `known` is suggested, without the learner's word."""
        if is_drill(guid):
            return len(self.passed.get(guid, ())) >= DRILL_DAYS
        memory = self.walked[guid].memory
        return memory is not None and memory.stability >= HELD_DAYS

    def _due_cards(
        self, come: Iterable[PlannedItem], limits: DayLimits, day: int
    ) -> list[PlannedItem]:
        """Return the due cards that are asked: of siblings one, and no more than the limit."""
        left = float(self._done.left_of(limits).reviews)
        asked: list[PlannedItem] = []
        for each in come:
            if each.drill:
                continue
            if left <= 0 or (each.siblings is not None and each.siblings in self._groups):
                self.wait(each, day + 1)
                continue
            left -= each.weight
            if each.siblings is not None:
                self._groups.add(each.siblings)
            asked.append(each)
        return asked

    def _late(self) -> dict[str, date]:
        """Return the drills that have waited too long, each with the day since which it waits."""
        found = {}
        for guid, item in self._drills.items():
            since = self.dates[0] + timedelta(days=item.due)
            if late_since(since, self._studied, new=item.new):
                found[guid] = since
        return found

    def _chosen(
        self, day: int, limits: DayLimits, budget: float, besides: float, late: Mapping[str, date]
    ) -> list[tuple[PlannedItem, int]]:
        """Return the drills, with the number of their steps, and new cards that are asked now."""
        left = self._done.left_of(limits)
        if limits.drills:
            left = left._replace(overdue=overdue(self._studied))
        if day < self._so_far.nothing_new:
            left = left._replace(new=0)
        candidates = self._candidates(left, late)
        now = self._evening(day)
        ordered = [
            self.walked[each.guid]
            for each in order_queue(candidates, now, left, self._groups).items
        ]
        queue = [_asked(each, late=each.guid in late) for each in ordered]
        if sum(each.drill and not each.begun for each in queue) < left.drills:
            listed = {each.guid for each in ordered}
            for guid, before in self._missing.items():
                if before and before <= listed:
                    queue.append(_asked(self.walked[guid], after=frozenset(before)))
        asked = admitted(queue, self._pace, budget=budget, done=self._done.all, besides=besides)
        return [(each, asked[each.guid]) for each in ordered if each.guid in asked]

    def _candidates(self, left: DayLimits, late: Mapping[str, date]) -> list[Candidate]:
        """Return the drills that may be asked, and the first new cards."""
        cards = [
            Candidate(each.guid, Phase.NEW, place=(0, place), siblings=each.siblings)
            for place, each in enumerate(islice(self._new_cards.values(), 2 * left.new + _SPARE))
        ]
        drills = [
            Candidate(
                guid,
                Phase.NEW if each.new else Phase.REVIEW,
                due=None if each.new else self._begins + timedelta(days=each.due),
                last_review=None if each.new else self._evening(each.last),
                place=(AFTER_CARDS, self._places[guid]),
                drill=True,
                late_since=late.get(guid),
                begun=each.passed > 0,
            )
            for guid, each in self._drills.items()
        ]
        return [*drills, *cards]

    def _evening(self, ahead: int) -> datetime:
        return self._begins + timedelta(days=ahead) + _HOUR

    def _answered(self, item: PlannedItem, day: int, steps: int = 1) -> Answered:
        """Answer an item, and take note of what follows for others.

        Of a drill so many `steps` are written; it is answered with the last one.
        """
        new, left = item.new, item.left
        share = sum(left[:steps])
        done = _asked(item)._replace(shares=(share,))
        if item.drill and not item.passed:
            begins = self.dates[0] + timedelta(days=item.due)
            self.waits.append((sum(each >= begins for each in self._studied), item.guid, new))
        if steps < len(left):
            item.passed += steps
            self._done = self._done._replace(steps=(*self._done.steps, done))
            seconds = share * self.learner.seconds(item.kind, self._draw, new=new)
            return Answered(item, False, Rating.GOOD, 0, seconds)
        told = self.answer(item, day)
        if item.drill:
            told.seconds *= share
            item.passed = 0
            self._drills.pop(item.guid)
            if told.rating is not Rating.AGAIN:
                self.passed.setdefault(item.guid, set()).add(day)
        if new or item.drill:
            self._done = self._done._replace(asked=(*self._done.asked, done))
        if item.siblings is not None:
            self._groups.add(item.siblings)
        if new:
            self._begin(told, day)
        return told

    def _begin(self, told: Answered, day: int) -> None:
        """Read the pages before a new item; drills that waited for it alone may be asked."""
        item = told.item
        self.first[item.guid] = day
        self.met.setdefault(item.concept, day)
        self._new_cards.pop(item.guid, None)
        self._missing.pop(item.guid, None)
        for guid, before in self._missing.items():
            if item.guid in before:
                before.discard(item.guid)
                if not before:
                    self._drills[guid] = self.walked[guid]
                    self._drills[guid].due = day
                    self._opened += 1
        unread = self._unread[item.concept]
        while not item.drill and unread and self._places[unread[0].guid] <= self._places[item.guid]:
            told.seconds += unread.pop(0).reading

    def _told(self, day: int, given: Iterable[Answered]) -> SimulatedDay:
        new = answers = drills = 0
        seconds = {True: 0.0, False: 0.0}
        packs: dict[str, PackDay] = {}
        for told in given:
            item = told.item
            taken, pack = item.weight * told.seconds, item.guid.partition(":")[0]
            so_far = packs.get(pack, PackDay())
            is_card = told.new and not item.drill
            packs[pack] = PackDay(so_far.new + is_card, so_far.minutes + taken / 60)
            seconds[item.drill] += taken
            drills += item.drill and told.answers
            new += is_card
            answers += 0 if item.drill else told.answers
        minutes = seconds[False] / 60, seconds[True] / 60
        return SimulatedDay(day + 1, new, answers, drills, *minutes, len(self.met), packs)


def _asked(item: PlannedItem, *, late: bool = False, after: frozenset[str] = frozenset()) -> Asked:
    """Return an item as far as its time goes."""
    known = item.guid, item.kind, item.new, item.reading, after, late, item.left
    return Asked(*known, begun=item.passed > 0)
