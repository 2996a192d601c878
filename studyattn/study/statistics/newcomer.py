"""A newcomer's way through a pack, day by day: how long a day takes, when each concept is known.

The real scheduler and the real order of the queue, with a learner whose answers are drawn, from a
seed, from the forgetting curve itself. What a day costs rests on `Effort`, which is an assumption
about a learner and not a measurement. Drills are passed as often as a card is recalled.
`simulate_newcomers` takes pack and settings of a home; all else is pure.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from random import Random

from studyattn.errors import NotFoundError
from studyattn.memory import (
    MemoryState,
    New,
    Phase,
    Rating,
    Remembered,
    Scheduler,
    day_start,
    learner_day,
)
from studyattn.memory.fit import retrievability
from studyattn.memory.order import (
    AFTER_CARDS,
    LEARN_AHEAD,
    Candidate,
    DayLimits,
    concept_ranks,
    order_queue,
)
from studyattn.memory.state import drill_guid, drill_id, is_drill
from studyattn.packs.card_kinds import BASIC
from studyattn.packs.check import terms
from studyattn.packs.locate import pack_folders, place_of
from studyattn.packs.model import Pack, card_id
from studyattn.packs.pages import reading_before, reading_seconds
from studyattn.packs.read import load_pack
from studyattn.study.profile import Profile
from studyattn.study.rules.budget import (
    LATEST,
    Asked,
    DoneToday,
    Pace,
    admitted,
    drill_kind,
    late_since,
    usual_seconds,
)
from studyattn.study.rules.evidence import DRILL_DAYS, HELD_DAYS
from studyattn.study.statistics.load import Habits

DAYS = 120
FIRST_DAY = date(2026, 1, 5)  # unless another is given
HOUR = timedelta(hours=15)  # after the day begins: the evening
_HABITS = Habits()


@dataclass(frozen=True, slots=True)
class SimulatedItem:
    """A card or drill of the pack, in the pack's order. `kind` is one of `budget.usual_seconds`."""

    guid: str
    concept: str
    kind: str
    siblings: str | None = None
    requires: tuple[str, ...] = ()
    """Guids of drills that are written before this one."""
    reading: float = 0.0
    """Seconds of reading for which the day's plan keeps room when it is new."""
    pages: tuple[float, ...] = ()
    """Seconds of each page up to the one that prepares for it; those not read yet come with it."""

    @property
    def drill(self) -> bool:
        return is_drill(self.guid)


@dataclass(frozen=True, slots=True)
class Effort:
    """Seconds that the simulated learner takes."""

    usual: Mapping[str, float] = field(default_factory=usual_seconds)  # by kind
    drill_pace: float = 1.0  # times as long as usual for a drill
    first_look: float = 1.5  # times as long as a later look at a card

    def seconds(self, item: SimulatedItem, *, new: bool) -> float:
        """Return the seconds of one answer, without reading."""
        seconds = self.usual.get(item.kind, BASIC.usual_seconds)
        seconds *= self.drill_pace if item.drill else 1.0
        return seconds * self.first_look if new else seconds


@dataclass(frozen=True, slots=True)
class SimulatedDay:
    """One learner day. `reviews` are all answers to cards, steps of minutes among them."""

    day: int  # 1 is the first
    new: int
    reviews: int
    drills: int
    card_minutes: float
    drill_minutes: float
    met: int  # concepts of which something was seen by the end of the day

    @property
    def minutes(self) -> float:
        return self.card_minutes + self.drill_minutes


@dataclass(frozen=True, slots=True)
class ConceptPath:
    """The days on which a concept was met and became known; None: not within the simulation."""

    slug: str
    met: int | None
    known: int | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """A newcomer's way."""

    days: tuple[SimulatedDay, ...]
    concepts: tuple[ConceptPath, ...]  # along the path
    drills: Mapping[str, int]  # the day on which each was first written, by guid
    before_lesson: tuple[str, ...] = ()  # guids of cards that were asked before a page for them
    before_concept: tuple[str, ...] = ()  # uses of a term before the concept that introduces it

    @property
    def all_met(self) -> int | None:
        """The day on which the last concept was met."""
        met = [each.met for each in self.concepts]
        return None if None in met else max((day for day in met if day is not None), default=0)

    @property
    def longest(self) -> float:
        """Minutes of the longest day."""
        return max((day.minutes for day in self.days), default=0.0)

    @property
    def average(self) -> float:
        """Minutes a day until the last concept is met, or over all days."""
        days = self.days[: self.all_met]
        return sum(day.minutes for day in days) / len(days) if days else 0.0


def simulate_newcomers(
    profile: Profile,
    *,
    days: int = DAYS,
    seeds: Iterable[int] = (0,),
    drill_pace: float = 1.0,
    minutes: int | None = None,
) -> list[Simulation]:
    """Simulate newcomers in the pack that is taught first, one a seed; its order is checked.

    They take `drill_pace` times as long as assumed for a drill, and want to study `minutes` a day,
    0 for no limit; None is what the settings say. They begin today, so easy days and vacations of
    the settings fall on their own dates. Reads no review and writes nothing. Raises NotFoundError
    without a pack, PackError for one that cannot be read.
    """
    order = profile.settings.packs
    folders = {
        name: folder
        for name, folder in pack_folders(profile.home).items()
        if place_of(name, order) is not None
    }
    if not folders:
        raise NotFoundError("no pack is installed", where=str(profile.home.root))
    pack = load_pack(folders[min(folders, key=lambda each: place_of(each, order) or 0)])
    items, too_early = simulated_items(pack), tuple(map(str, terms.check(pack)))
    ways = (
        simulate(
            items,
            pack.path,
            [(each.slug, first) for each in pack.concepts.values() for first in each.requires],
            profile.scheduler,
            profile.settings.day_limits,
            budget=profile.settings.budget if minutes is None else 60.0 * minutes,
            days=days,
            seed=seed,
            effort=Effort(drill_pace=drill_pace),
            lessons=profile.settings.lessons,
            first=profile.today(),
        )
        for seed in seeds
    )
    return [replace(way, before_concept=too_early) for way in ways]


def simulated_items(pack: Pack) -> list[SimulatedItem]:
    """Return the items of the pack in its order, with what their time and their place depend on."""
    reading = reading_before(pack)
    found = []
    for item in pack.items():
        guid, concept = item.guid, pack.concepts[item.concept]
        if item.card is None:
            brief = pack.drills[drill_id(guid)]
            requires = tuple(drill_guid(pack.id, each) for each in brief.requires)
            kind = drill_kind(brief.level)
            found.append(SimulatedItem(guid, item.concept, kind, requires=requires))
        else:
            until = concept.page_before(card_id(guid)) + 1 if concept.pages else 0
            found.append(
                SimulatedItem(
                    *(guid, item.concept, item.card.kind.name, item.sibling_group),
                    reading=reading.get(guid, 0.0),
                    pages=tuple(map(reading_seconds, concept.pages[:until])),
                )
            )
    return found


def simulate(
    items: Sequence[SimulatedItem],
    path: Sequence[str],
    requires: Iterable[tuple[str, str]],
    scheduler: Scheduler,
    limits: DayLimits,
    *,
    budget: float,
    days: int,
    seed: int,
    effort: Effort | None = None,
    lessons: bool = True,
    first: date = FIRST_DAY,
) -> Simulation:
    """Simulate `days` days of a newcomer, from `first` on.

    `path` are the concepts in learning order, `requires` pairs of (concept, prerequisite). `limits`
    and `budget`, the time that a day is to take in seconds or 0 for no limit, are those of a usual
    day: the scheduler's settings say which days get less, and whether the load is balanced. Without
    `lessons` no page is read.
    """
    newcomer = _Newcomer(items, path, requires, scheduler, Random(seed))
    newcomer.effort, newcomer.lessons = effort or Effort(), lessons
    passed = [
        newcomer.study(number, first + timedelta(days=number - 1), limits, budget)
        for number in range(1, days + 1)
    ]
    met, known = newcomer.met, newcomer.known
    concepts = (ConceptPath(each, met.get(each), known.get(each)) for each in path)
    drills = {guid: day for guid, day in newcomer.first.items() if is_drill(guid)}
    return Simulation(tuple(passed), tuple(concepts), drills, tuple(newcomer.before_lesson))


class _Newcomer:
    """Someone who studies every evening, but on vacation, until nothing is asked any more."""

    def __init__(
        self,
        items: Sequence[SimulatedItem],
        path: Sequence[str],
        requires: Iterable[tuple[str, str]],
        scheduler: Scheduler,
        draw: Random,
    ) -> None:
        self._scheduler, self._draw = scheduler, draw
        self._items = {item.guid: item for item in items}
        self._drills = [item for item in items if item.drill]
        self._states: dict[str, MemoryState] = {item.guid: New() for item in items}
        self._by_concept: dict[str, list[SimulatedItem]] = {slug: [] for slug in path}
        for item in items:
            self._by_concept.setdefault(item.concept, []).append(item)
        numbers = {slug: place for place, slug in enumerate(self._by_concept)}
        pairs = [(numbers[a], numbers[b]) for a, b in requires if a in numbers and b in numbers]
        ranks = concept_ranks({number: number for number in numbers.values()}, pairs)
        self._places = {
            item.guid: (AFTER_CARDS if item.drill else ranks[numbers[item.concept]], at)
            for at, item in enumerate(items)
        }
        self._candidates = {item.guid: self._candidate(item, New()) for item in items}
        self._before = {  # guids that are seen before a drill
            drill.guid: (
                *(each.guid for each in self._by_concept[drill.concept] if not each.drill),
                *drill.requires,
            )
            for drill in self._drills
        }
        self._due: Counter[date] = Counter()  # items by the day on which they come due
        self._timed: dict[str, deque[float]] = {}  # what the latest answers took, by kind
        self._passed: dict[str, set[int]] = {}
        self._done: dict[str, Asked] = {}  # what this evening asked
        self._days: dict[int, date] = {}  # on which something was answered, by their numbers
        self._read: dict[str, int] = {}  # pages, by concept
        self.effort, self.lessons = Effort(), True
        self.first: dict[str, int] = {}  # the day of the first answer, by guid
        self.met: dict[str, int] = {}
        self.known: dict[str, int] = {}
        self.before_lesson: list[str] = []

    def study(self, number: int, day: date, usual: DayLimits, budget: float) -> SimulatedDay:
        """Study one evening, the day's share of a usual one."""
        settings = self._scheduler.settings
        if settings.on_vacation(day):
            return SimulatedDay(number, 0, 0, 0, 0.0, 0.0, len(self.met))
        share = settings.share(day)
        limits, budget = usual.of_share(share), budget * (share or 1)
        now = day_start(day, 0, settings.rollover_hour) + HOUR
        self._done = {}
        late = self._late(day)
        queue = self._queue(now, limits, budget, late)
        waiting: list[tuple[datetime, str]] = []
        new = 0
        spent: dict[bool, list[float]] = {True: [], False: []}  # by answers to drills, to cards
        while queue or waiting:
            if not queue:  # cards of the evening may have made a drill available
                queue = self._queue(now, limits, budget, late)
            waiting.sort()
            if waiting and (waiting[0][0] <= now or not queue):
                due, guid = waiting.pop(0)
                if due > now + LEARN_AHEAD:
                    break
            else:
                guid = queue.pop(0)
            item, before = self._items[guid], self._states[guid]
            self._days[number] = day
            self._done.setdefault(guid, self._asked(item))
            seconds = self._seconds(item, number, new=isinstance(before, New))
            now += timedelta(seconds=seconds)
            after = self._answer(item, before, now, number)
            if after.phase is not Phase.REVIEW:
                waiting.append((after.due, guid))
            spent[item.drill].append(seconds)
            new += not item.drill and isinstance(before, New)
        for concept, items in self._by_concept.items():
            if concept not in self.known and items and all(map(self._is_known, items)):
                self.known[concept] = number
        cards, drills = spent[False], spent[True]
        minutes = sum(cards) / 60, sum(drills) / 60
        return SimulatedDay(number, new, len(cards), len(drills), *minutes, len(self.met))

    def _late(self, today: date) -> dict[str, date]:
        """Return the drills that have waited too long, each with the day since which it waits."""
        studied = [day for day in reversed(self._days.values()) if day < today]
        rollover = self._scheduler.settings.rollover_hour
        found: dict[str, date] = {}
        for drill in self._drills:
            state, before = self._states[drill.guid], self._before[drill.guid]
            if isinstance(state, Remembered):
                since = learner_day(state.due, 0, rollover)
            elif self._unseen_before(drill):
                continue
            else:
                since = max((self._days[self.first[guid]] for guid in before), default=today)
            if late_since(since, studied, new=isinstance(state, New)):
                found[drill.guid] = since
        return found

    def _queue(
        self, now: datetime, limits: DayLimits, budget: float, late: Mapping[str, date]
    ) -> list[str]:
        """Return what the evening still asks, in order.

        Drills are new once their concept's cards are seen and what they require was written.
        """
        unseen = {drill.guid: self._unseen_before(drill) for drill in self._drills}
        candidates = [
            replace(candidate, late_since=late[guid]) if guid in late else candidate
            for guid, candidate in self._candidates.items()
            if guid not in self._done and not unseen.get(guid)
        ]
        groups = (self._items[guid].siblings for guid in self._done)
        done = DoneToday(
            tuple(self._done.values()), frozenset(group for group in groups if group is not None)
        )
        left = done.left_of(limits)
        ordered = order_queue(candidates, now, left, done.sibling_groups)
        guids = [each.guid for each in ordered.items]
        queue = [replace(self._asked(self._items[guid]), late=guid in late) for guid in guids]
        if sum(each.drill for each in queue) < left.drills:
            for drill in self._drills:
                after = unseen[drill.guid]
                if after and after <= set(guids):
                    queue.append(Asked(drill.guid, drill.kind, new=True, after=after))
        pace = Pace.of(
            (kind, seconds) for kind, took in self._timed.items() for seconds in reversed(took)
        )
        asked = admitted(queue, pace, budget=budget, done=done.asked)
        return [guid for guid in guids if guid in asked]

    def _asked(self, item: SimulatedItem) -> Asked:
        new = isinstance(self._states[item.guid], New)
        return Asked(item.guid, item.kind, new, item.reading)

    def _candidate(self, item: SimulatedItem, state: MemoryState) -> Candidate:
        known = Candidate(
            item.guid,
            Phase.NEW,
            place=self._places[item.guid],
            siblings=item.siblings,
            drill=item.drill,
        )
        if isinstance(state, New):
            return known
        return replace(known, phase=state.phase, due=state.due, last_review=state.last_review)

    def _unseen_before(self, drill: SimulatedItem) -> frozenset[str]:
        """Return what has to be seen before a drill, and was not: cards, and drills it requires."""
        before, states = self._before[drill.guid], self._states
        return frozenset(guid for guid in before if isinstance(states.get(guid), New))

    def _seconds(self, item: SimulatedItem, number: int, *, new: bool) -> float:
        """Return what an answer takes, with the pages that are read before it."""
        seconds = self.effort.seconds(item, new=new)
        self._timed.setdefault(item.kind, deque(maxlen=LATEST)).append(seconds)
        self.met.setdefault(item.concept, number)
        if item.guid not in self.first:
            self.first[item.guid] = number
            unread = item.pages[self._read.get(item.concept, 0) :]
            if unread and not self.lessons:
                self.before_lesson.append(item.guid)
            elif unread:
                self._read[item.concept] = len(item.pages)
                seconds += sum(unread)
        return seconds

    def _answer(
        self, item: SimulatedItem, state: MemoryState, at: datetime, number: int
    ) -> Remembered:
        """Draw the rating of an answer, and remember what follows from it."""
        scheduler, settings, chance = self._scheduler, self._scheduler.settings, None
        if isinstance(state, Remembered):
            days = max(0.0, (at - state.last_review) / timedelta(days=1))
            chance = retrievability(state.stability, days, settings.parameters)
        rating = _HABITS.rating(self._draw, chance)
        if item.drill and rating is not Rating.AGAIN:
            self._passed.setdefault(item.guid, set()).add(number)
        seeds = scheduler.balanced_seeds(item.guid, state, at, 0, lambda day: self._due[day])
        after = scheduler.answer(item.guid, state, rating, at, 0, seeds.get(rating, ""))
        if isinstance(state, Remembered):
            self._due[learner_day(state.due, 0, settings.rollover_hour)] -= 1
        self._due[learner_day(after.due, 0, settings.rollover_hour)] += 1
        self._states[item.guid] = after
        self._candidates[item.guid] = self._candidate(item, after)
        return after

    def _is_known(self, item: SimulatedItem) -> bool:
        """Apply the rule by which `known` is suggested, without the learner's word."""
        if item.drill:
            return len(self._passed.get(item.guid, ())) >= DRILL_DAYS
        state = self._states[item.guid]
        return isinstance(state, Remembered) and state.stability >= HELD_DAYS
