"""The way to the goals of the path, in lessons and as ranges of days.

The days to come are simulated a few times (`rules.evenings`), from what is begun, planned and known
of the learner now. That takes a moment, so that what needs the path alone does without.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from studyattn.memory.state import EXPLANATION_MARK, drill_id, is_drill
from studyattn.packs.locate import known_goals, pack_folders, with_goal
from studyattn.store.database import Connection
from studyattn.store.queries.days import day_totals
from studyattn.store.queries.lessons import begun_concepts, taught_concepts
from studyattn.store.queries.path import begun_items
from studyattn.store.queries.queue import study_days
from studyattn.store.vocabulary import DRILL
from studyattn.study.concepts.path import LearningPath
from studyattn.study.profile import Profile
from studyattn.study.review import due_count
from studyattn.study.review.backlog import Backlog, read_backlog
from studyattn.study.review.pace import SECONDS, Estimator
from studyattn.study.review.queue import ready_since
from studyattn.study.rules.days_ahead import HORIZON
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.rules.simulation import PlannedItem

_FILE: Final = "goals"
"""Remembers what was estimated, beside the database."""
_WALKED: Final = 1000  # begun cards that are simulated; of more a sample stands for all
_RECENT: Final = timedelta(days=364)  # before today, whose answers show how the learner rates
_STUDIED: Final = 10  # of the latest days of study
_SAME_YEAR: Final = 300  # days ahead up to which a date needs no year


class Milestone(NamedTuple):
    """A place ahead on the path, and how far it is."""

    title: str
    lessons: int  # concepts to begin until there, its own included
    first: date  # the range of days in which it is likely reached
    last: date | None  # None: the range ends later than the estimate looks

    def when(self, today: date, *, short: bool = False) -> str:
        """Return the range in words: `today`, `between 6 and 10 Dec`, or short `6–10 Dec`."""
        if self.last is None:
            far = (self.first - today).days >= HORIZON
            return "in more than a year" if far else f"not before {_written(self.first, today)}"
        last = _written(self.last, today)
        if self.first == self.last:
            names = {today: "today", today + timedelta(days=1): "tomorrow"}
            return names.get(self.first, f"on {last}")
        if self.first == today:
            return f"by {last}"
        same_month = (self.first.year, self.first.month) == (self.last.year, self.last.month)
        first = f"{self.first.day}" if same_month else _written(self.first, today)
        return f"{first}–{last}" if short else f"between {first} and {last}"


class Goals(NamedTuple):
    """The goals that are ahead, as of today."""

    milestones: tuple[Milestone, ...]  # the nearest first
    today: date
    minutes_per_day: int  # that the days are estimated for; 0: no limit

    @property
    def pace(self) -> str:
        """The words on the minutes per day; '' without a limit."""
        return f" at {self.minutes_per_day} min per day" if self.minutes_per_day else ""

    def ways(self) -> list[str]:
        """Return how far each milestone is, in words: `15 lessons, between 6 and 10 Dec`."""
        return [
            (f"{count(each.lessons, 'lesson')}, " if each.lessons else "") + each.when(self.today)
            for each in self.milestones
        ]


def _written(day: date, today: date) -> str:
    year = f" {day.year}" if (day - today).days > _SAME_YEAR else ""
    return f"{day.day} {day:%b}{year}"


def read_goals(profile: Profile, path: LearningPath) -> Goals:
    """Return how far it is to the first drill until one has passed, to the goals and capstones of
    the packs, and to the ends of packs and path.
    """
    moment = profile.moment()
    today, root = profile.day_of(moment), str(profile.home.root)
    is_chosen = path.goal == profile.settings.goal and profile.home.server is None
    state = due_count.state_of(root) if is_chosen else []
    kept = due_count.remembered(root, _FILE, moment.at.timestamp()) if state else None
    if kept is not None:
        milestones = tuple(
            Milestone(
                *(title, lessons, date.fromisoformat(first)), last and date.fromisoformat(last)
            )
            for title, lessons, first, last in json.loads(kept)
        )
    elif path.ahead:
        with profile.database.read() as connection:
            days = _simulated(connection, profile, path)
        milestones = tuple(_Ahead(path, days, today).milestones())
    else:
        milestones = ()
    if kept is None:
        tomorrow = profile.day_start(today + timedelta(days=1), moment)
        spans = (moment.at.timestamp(), tomorrow.timestamp())
        due_count.remember(root, _FILE, json.dumps(milestones, default=str), spans, state)
    return Goals(milestones, today, profile.settings.minutes_per_day)


class GoalChoice(NamedTuple):
    """A goal that a learner may choose."""

    name: str  # as the setting has it
    lessons: int  # concepts to begin until it
    is_chosen: bool


def goals_to_choose(profile: Profile) -> tuple[GoalChoice, ...]:
    """Return the goals of the packs that can be read. Raises PackError where one cannot."""
    from studyattn.packs.read import load_pack  # late: what estimates does without

    packs = [load_pack(folder) for folder in pack_folders(profile.home).values()]
    with profile.database.read() as connection:
        begun = begun_concepts(connection, but=EXPLANATION_MARK)
        taught = {
            (each.pack, each.slug.removeprefix(f"{each.pack}-"))
            for each in taught_concepts(connection)
            if each.id not in begun
        }
    chosen = profile.settings.goal
    return tuple(
        GoalChoice(
            name,
            len({(pack.id, each) for pack in packs for each in pack.needed_for(name)} & taught),
            with_goal(chosen, name, profile.home) == chosen,
        )
        for name in known_goals(profile.home)
    )


def choose_goal(profile: Profile, name: str) -> None:
    """Choose a goal, in place of the one of the packs that have a route to it."""
    profile.change_setting("goal", with_goal(profile.settings.goal, name, profile.home))


class _Ahead:
    """The goals ahead on the path, and the days in each simulation."""

    def __init__(self, path: LearningPath, days: Sequence[Mapping[str, int]], today: date) -> None:
        self._days, self._today, self._path = days, today, path
        self._titles = {name: each.title for name, each in path.drills.items()}
        self._passed = {name for name, each in path.drills.items() if each.state == "passed"}
        self._lessons = path.lessons_until()
        self._guids = {drill_id(guid): guid for guid in self._lessons if is_drill(guid)}

    def milestones(self) -> Iterator[Milestone]:
        """Yield them, the nearest first; the ends of the packs and of the path are the last.

        Until a drill has passed, the one that is reached first comes before them.
        """
        first = None
        if self._titles and not self._passed:
            first = min(self._titles, key=lambda each: self._reach("", [each]).first)
            yield self._named("your first drill,", first)
        found = self._besides(first)
        yield from sorted(found, key=lambda each: (each.first, each.last or date.max))
        *before, _ = dict.fromkeys(guid.partition(":")[0] for guid in self._lessons)
        for pack in before:
            own = [guid for guid in self._lessons if guid.startswith(f"{pack}:")]
            yield self._of_items(f"the end of {pack}", own)
        yield self._of_items("the end of the path", self._lessons)

    def _besides(self, first: str | None) -> Iterator[Milestone]:
        """Yield the goals and capstones of the packs that have not passed, but for one drill."""
        ahead = self._titles.keys() - self._passed - {first}
        yield from (self._named("write", drill) for drill in self._path.goals if drill in ahead)
        for capstone in self._path.capstones:
            drills = set(capstone.drills)
            if drills <= self._titles.keys() and not drills <= self._passed:
                yield self._reach(capstone.title, drills)

    def _named(self, words: str, drill: str) -> Milestone:
        title = self._titles[drill]
        return self._reach(f"{words} {title[:1].lower()}{title[1:]}", [drill])

    def _reach(self, words: str, drills: Iterable[str]) -> Milestone:
        """Return when these drills are first asked; one that was tried is asked now."""
        return self._of_items(words, [self._guids[each] for each in drills if each in self._guids])

    def _of_items(self, words: str, guids: Collection[str]) -> Milestone:
        # Late here and below: what was estimated is kept, and shown without it.
        from studyattn.study.rules.evenings import between, reached

        first, last = between(reached(self._days, guids))
        return Milestone(
            words,
            max((self._lessons[guid] for guid in guids), default=0),
            self._today + timedelta(days=first),
            None if last is None else self._today + timedelta(days=last),
        )


def _simulated(
    connection: Connection, profile: Profile, path: LearningPath
) -> list[Mapping[str, int]]:
    """Return the day on which each new item is first asked, in each simulation."""
    from studyattn.study.review.learner import learner_of, recall_of
    from studyattn.study.rules.evenings import SoFar, Wishes, first_days, likely_learners

    settings, today = profile.settings, profile.today()
    estimator = Estimator(connection, lessons=settings.lessons, today=today)
    backlog = read_backlog(connection, settings, today)
    items = [
        *new_items(connection, profile, estimator, path),
        *_begun_items(connection, profile, estimator, backlog),
    ]
    learner = learner_of(estimator.pace, day_totals(connection, SECONDS, today - _RECENT))
    recall = recall_of(connection, settings.scheduling.parameters)
    so_far = SoFar(
        tuple(study_days(connection, today, _STUDIED)),
        estimator.done_on(today),
        (backlog.last - today).days + 1 if backlog is not None else 0,
    )
    wishes = Wishes(settings.day_limits, settings.budget)
    learners = likely_learners(learner, recall)
    return first_days(learners, items, wishes, settings.scheduling, today, so_far)


def new_items(
    connection: Connection, profile: Profile, estimator: Estimator, path: LearningPath
) -> Iterator[PlannedItem]:
    """Yield the new items in the order of learning."""
    from studyattn.study.rules.simulation import PlannedItem

    cards: defaultdict[int, set[str]] = defaultdict(set)
    new = [item for concept in path.ahead for item in concept.items]
    for item in new:
        if item.kind != DRILL:
            cards[item.concept_id].add(item.guid)
    drills, today = [each.guid for each in new if each.kind == DRILL], profile.today()
    since = ready_since(
        connection, estimator, drills, lambda at: profile.day_of(profile.moment(at))
    )
    for concept in path.ahead:
        for item in concept.items:
            asked = estimator.asked(item.guid, item.card_kind, new=True)
            before = {*cards[item.concept_id], *estimator.requires(item.guid)}
            shares, passed = estimator.steps(item.guid)
            yield PlannedItem(
                *(item.guid, asked.kind, concept.slug, item.sibling_group),
                before=frozenset(before if item.kind == DRILL else ()),
                reading=asked.reading,
                due=min(0, (since.get(item.guid, today) - today).days),
                shares=shares,
                passed=passed,
            )


def _begun_items(
    connection: Connection, profile: Profile, estimator: Estimator, backlog: Backlog | None
) -> Iterator[PlannedItem]:
    """Yield what was begun, of a backlog that is spread on the days of its plan."""
    from fsrs_rs_python import MemoryState

    from studyattn.study.rules.simulation import PlannedItem

    moment = profile.moment()
    today = profile.day_of(moment)
    found, every = begun_items(connection, _WALKED)
    spread = [] if backlog is None else list(backlog.spread)
    for item in found:
        weight = 1 if item.kind == DRILL else every
        due = profile.day_of(profile.moment(item.due))
        if backlog is not None and item.due < backlog.before and item.kind != DRILL and spread:
            due, left = spread[0]
            spread[0] = (due, left - weight)
            if left <= weight:
                spread.pop(0)
        shares, passed = estimator.steps(item.guid)
        yield PlannedItem(
            *(item.guid, estimator.kind(item.guid, "")),
            memory=MemoryState(item.stability, item.difficulty),
            last=min(0, (item.last_day - today).days),
            due=max(0, (due - today).days),
            weight=weight,
            shares=shares,
            passed=passed,
        )
