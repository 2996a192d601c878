"""The path: the concepts of the packs in learning order, how far each is, and how far it still is.

A concept's `ConceptProgress` is what its items show; its state remains the learner's word.
"""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from studyattn.errors import DocumentError, PackError
from studyattn.home import Home
from studyattn.lm.parts import GPT
from studyattn.memory import New, Phase, Rating, Scheduler
from studyattn.memory.order import concept_ranks
from studyattn.memory.state import drill_id, is_drill
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import StoredConcept, all_concepts
from studyattn.store.queries.lessons import TaughtConcept, lesson_pages
from studyattn.store.queries.path import PathItem, path_items
from studyattn.store.queries.placement import placed_concepts
from studyattn.store.queries.queue import due_counts, requirements
from studyattn.store.vocabulary import DRILL, KNOWN, KNOWN_UNKNOWN
from studyattn.study.practice.drill_log import drill_states
from studyattn.study.profile import Profile
from studyattn.study.records import starts_of
from studyattn.study.review.pace import Estimator, seconds_a_card
from studyattn.study.rules.budget import AGAIN, HORIZON, Asked, DayPlan, first_days
from studyattn.study.rules.evidence import HELD_DAYS
from studyattn.text.counting import count

_LOAD_DAYS = 90  # days ahead whose reviews are counted
_WEEK = 7  # days
_REVIEWS = 6  # of a card after its first answer, as far as the estimate goes

GPT_PARTS: Final = tuple(GPT.drills.values())
"""The drills of all that a GPT of the learner's own is trained with."""


class ConceptProgress(StrEnum):
    """How far a concept is, by its items."""

    NOT_BEGUN = "not begun"
    PLACED = "placed"  # by a placement, and nothing was asked since
    LEARNING = "learning"
    HELD = "held"  # every card for HELD_DAYS, every drill passed
    KNOWN = "known"  # the learner says so


@dataclass(frozen=True, slots=True)
class CardsOnPath:
    """Numbers of a concept's cards."""

    total: int
    new: int  # never asked
    due: int  # asked now
    held: int  # stable for HELD_DAYS or more


@dataclass(frozen=True, slots=True)
class DrillOnPath:
    """A drill of a concept."""

    id: str
    title: str
    state: str  # new | tried | passed | revealed
    due: datetime | None  # aware, UTC; None for one that was never rated


@dataclass(frozen=True, slots=True)
class PathStop:
    """A concept at its place on the path."""

    slug: str
    title: str
    state: str  # unseen | known-unknown | known
    progress: ConceptProgress
    position: int  # 1 is the first
    lesson: str | None  # new | begun | over: read to its end or skipped; None: it has no lesson
    cards: CardsOnPath
    drills: tuple[DrillOnPath, ...]

    @property
    def share(self) -> float:
        """The learnt share, 0 to 1: a card that was begun counts half, one that is held whole."""
        passed = sum(drill.state == "passed" for drill in self.drills)
        tried = sum(drill.state != "new" for drill in self.drills)
        total = self.cards.total + len(self.drills)
        begun = self.cards.total - self.cards.new + tried
        return (begun + self.cards.held + passed) / (2 * total) if total else 0.0


@dataclass(frozen=True, slots=True)
class Milestone:
    """A place ahead on the path, and how far it is."""

    title: str
    lessons: int  # concepts to begin until there, its own included
    days: int | None  # until it is first asked; None: later than the estimate looks

    def away(self, minutes_per_day: int) -> str:
        """Return how far it is, in words: `today`, `about 5 days at 20 min per day`."""
        pace = f" at {minutes_per_day} min per day" if minutes_per_day else ""
        if self.days is None:
            return f"more than {HORIZON // 365} years{pace}"
        if self.days == 0:
            return "today"
        if self.days < 2 * _WEEK:
            return f"about {count(self.days, 'day')}{pace}"
        return f"about {round(self.days / _WEEK)} weeks{pace}"


@dataclass(frozen=True, slots=True)
class LearningPath:
    """The whole path."""

    stops: tuple[PathStop, ...]
    next: str | None  # slug of the concept that is begun next; None when all are
    milestones: tuple[Milestone, ...]  # those ahead, the nearest first
    minutes_per_day: int  # that the days are estimated for; 0: no limit

    @property
    def begun(self) -> int:
        """Concepts of which something was asked, or that are placed or known."""
        return sum(stop.progress is not ConceptProgress.NOT_BEGUN for stop in self.stops)

    @property
    def placed(self) -> int:
        """Concepts of which a placement is all that is known."""
        return sum(stop.progress is ConceptProgress.PLACED for stop in self.stops)

    @property
    def held(self) -> int:
        """Concepts that are held or known."""
        return sum(
            stop.progress in {ConceptProgress.HELD, ConceptProgress.KNOWN} for stop in self.stops
        )


def read_path(profile: Profile) -> LearningPath:
    """Return the path of the installed packs, as of now."""
    moment = profile.moment()
    titles, goals = _drills_of_packs(profile.home)
    with profile.database.read() as connection:
        whole = {
            row.id: row
            for row in all_concepts(connection)
            if row.pack is not None and row.joined_into_id is None
        }
        items: defaultdict[int, list[PathItem]] = defaultdict(list)
        for item in path_items(connection):
            items[item.concept_id].append(item)
        drills = drill_states(connection)
        waiting = _waiting(connection, whole.values(), items)
        pages = lesson_pages(connection)
        estimator = Estimator(connection, lessons=profile.settings.lessons)
        stops = {}
        for position, row in enumerate(whole.values(), start=1):
            own = items[row.id]
            cards, written = _cards(own, moment.at), tuple(_drills(own, drills, titles))
            stops[row.id] = PathStop(
                slug=row.slug,
                title=row.title,
                state=row.state,
                progress=_progress(row.state, cards, written, placed=row.id in waiting),
                position=position,
                lesson=_lesson(row, own, estimator, pages),
                cards=cards,
                drills=written,
            )
        order = _learning_order(connection, whole)
        new = {
            concept: [
                estimator.asked(item.guid, item.card_kind, new=True)
                for item in sorted(items[concept], key=lambda each: each.kind == DRILL)
                if item.phase == Phase.NEW and drills.get(item.guid) != "passed"
            ]
            for concept in order
        }
        days = _first_days(connection, profile, estimator, new)
    begun = {
        concept for concept, stop in stops.items() if stop.progress is not ConceptProgress.NOT_BEGUN
    }
    ahead = [concept for concept in order if new[concept]]
    lessons = {
        item.guid: sum(each not in begun for each in ahead[: place + 1])
        for place, concept in enumerate(ahead)
        for item in new[concept]
    }
    path = tuple(stops.values())
    return LearningPath(
        stops=path,
        next=next((stops[each].slug for each in ahead if each not in begun), None),
        milestones=tuple(_milestones(path, goals, lessons, days)),
        minutes_per_day=profile.settings.minutes_per_day,
    )


def _drills_of_packs(home: Home) -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the titles of all drills by id, and the drills that the packs call goals."""
    titles: dict[str, str] = {}
    goals: list[str] = []
    for folder in installed_packs(home):
        try:
            manifest = tomllib.loads((folder / "pack.toml").read_text(encoding="utf-8"))
            goals += manifest.get("goals", [])
            for file in folder.glob("drills/*/brief.md"):
                brief, _ = read_brief(file.read_text(encoding="utf-8"), file)
                titles[brief.id] = brief.title
        except (PackError, DocumentError, OSError, ValueError):
            continue  # opening the home has said what is wrong with the pack
    return titles, goals


def _cards(items: Iterable[PathItem], at: datetime) -> CardsOnPath:
    cards = [item for item in items if item.kind != DRILL]
    return CardsOnPath(
        total=len(cards),
        new=sum(item.phase == Phase.NEW for item in cards),
        due=sum(item.due is not None and item.due <= at for item in cards),
        held=sum((item.stability or 0.0) >= HELD_DAYS for item in cards),
    )


def _drills(
    items: Iterable[PathItem], states: Mapping[str, str], titles: Mapping[str, str]
) -> Iterator[DrillOnPath]:
    for item in items:
        if item.kind == DRILL:
            name = drill_id(item.guid)
            state = states.get(item.guid, "new")
            yield DrillOnPath(name, titles.get(name, name), state, item.due)


def _lesson(
    row: StoredConcept,
    items: Sequence[PathItem],
    estimator: Estimator,
    pages: Mapping[str, str | None],
) -> str | None:
    """Return how far the lesson of a concept was read; None where no item has a page before it."""
    if not any(estimator.has_page(item.guid) for item in items):
        return None
    name = TaughtConcept(row.id, row.slug, row.title, row.pack or "").lesson
    if name not in pages:
        return "new"
    return "over" if pages[name] is None else "begun"


def _waiting(
    connection: Connection,
    concepts: Iterable[StoredConcept],
    items: Mapping[int, Sequence[PathItem]],
) -> set[int]:
    """Return the ids of the placed concepts of whose cards none was asked since."""
    names = placed_concepts(connection)
    placed = [row.id for row in concepts if f"{row.pack}:{row.slug}" in names]
    starts = starts_of(connection, [item.guid for each in placed for item in items[each]])
    return {
        each
        for each in placed
        if all(
            item.kind == DRILL
            or item.phase == Phase.NEW
            or (item.guid in starts and item.last_review == starts[item.guid].at)
            for item in items[each]
        )
    }


def _progress(
    state: str, cards: CardsOnPath, drills: Sequence[DrillOnPath], *, placed: bool
) -> ConceptProgress:
    if state == KNOWN:
        return ConceptProgress.KNOWN
    if placed and all(drill.state == "new" for drill in drills):
        return ConceptProgress.PLACED
    if cards.new == cards.total and all(drill.state == "new" for drill in drills):
        return ConceptProgress.NOT_BEGUN
    if cards.held == cards.total and all(drill.state == "passed" for drill in drills):
        return ConceptProgress.HELD
    return ConceptProgress.LEARNING


def _learning_order(connection: Connection, concepts: Mapping[int, StoredConcept]) -> list[int]:
    """Return the concepts in the order in which the queue brings their new cards."""
    wish = {KNOWN_UNKNOWN: 0, KNOWN: 2}
    wished = sorted(concepts, key=lambda each: wish.get(concepts[each].state, 1))
    positions = {concept: place for place, concept in enumerate(wished)}
    ranks = concept_ranks(positions, requirements(connection))
    return sorted(ranks, key=ranks.__getitem__)


def _first_days(
    connection: Connection,
    profile: Profile,
    estimator: Estimator,
    new: Mapping[int, Sequence[Asked]],
) -> dict[str, int]:
    """Return the day on which each new item is first asked, today's reviews and answers counted."""
    settings, moment, pace = profile.settings, profile.moment(), estimator.pace
    today = profile.day_of(moment)
    done = estimator.done_on(today)
    end = profile.day_start(today + timedelta(days=_LOAD_DAYS), moment)
    due = profile.count_by_day(due_counts(connection, end), moment, _LOAD_DAYS)
    card = AGAIN * seconds_a_card(connection)
    load = [number * card for number in due]
    load[0] += sum(map(pace.expected, done.asked))
    return first_days(
        {str(concept): asked for concept, asked in new.items()},
        DayPlan(settings.budget, settings.new_per_day, settings.drills_per_day),
        pace,
        load=load,
        begun_today=done.new_cards,
        intervals=_intervals(profile.scheduler, moment.at),
    )


def _intervals(scheduler: Scheduler, at: datetime) -> tuple[int, ...]:
    """Return the days from a card's first answer to its reviews if all are rated good."""
    state = scheduler.answer("", New(), Rating.GOOD, at, 0)
    first = state.last_day
    found: list[int] = []
    while len(found) < _REVIEWS:
        state = scheduler.answer("", state, Rating.GOOD, state.due, 0)
        if (days := (state.last_day - first).days) > 0:
            found.append(days)
    return tuple(found)


def _milestones(
    stops: Sequence[PathStop],
    goals: Sequence[str],
    lessons: Mapping[str, int],
    days: Mapping[str, int],
) -> Iterator[Milestone]:
    """Yield the first drill if none was passed yet, the goals ahead, and the end of the path.

    A goal is a drill of a pack, or all that a GPT of the learner's own is trained with.
    """
    drills = {drill.id: drill for stop in stops for drill in stop.drills}
    guids = {drill_id(guid): guid for guid in lessons if is_drill(guid)}

    def reach(words: str, *wanted: str) -> Milestone:
        """Return when these drills are first asked; one that was tried is asked now."""
        return _reach(words, [guids.get(each, "") for each in wanted], lessons, days)

    def named(words: str, drill: str) -> Milestone:
        title = drills[drill].title
        return reach(f"{words} {title[:1].lower()}{title[1:]}", drill)

    ahead = [each for each in goals if each in drills and drills[each].state != "passed"]
    if drills and all(drill.state != "passed" for drill in drills.values()):
        first = min(drills, key=lambda each: _when(reach("", each)))
        yield named("your first drill,", first)
        ahead = [each for each in ahead if each != first]
    found = [named("write", drill) for drill in ahead]
    parts = [drills[each].state for each in GPT_PARTS if each in drills]
    if len(parts) == len(GPT_PARTS) and set(parts) != {"passed"}:
        found.append(reach("train your own GPT", *GPT_PARTS))
    yield from sorted(found, key=_when)
    if lessons:
        yield _reach("the end of the path", lessons, lessons, days)


def _reach(
    words: str, guids: Collection[str], lessons: Mapping[str, int], days: Mapping[str, int]
) -> Milestone:
    """Return how far it is until these items are asked; what is not new is asked now."""
    at = max(days.get(guid, math.inf) if guid in lessons else 0 for guid in guids)
    until = None if at == math.inf else int(at)
    return Milestone(words, max(lessons.get(guid, 0) for guid in guids), until)


def _when(milestone: Milestone) -> float:
    return math.inf if milestone.days is None else milestone.days
