"""The path: the concepts of the packs in learning order, and how far each is.

A concept's `ConceptProgress` is what its items show; its state remains the learner's word. How far
it is to the goals, `concepts.goals` estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from studyattn.grouping import grouped
from studyattn.memory import MemoryStart, Phase
from studyattn.memory.order import in_learning_order
from studyattn.memory.state import EXPLANATION_MARK, drill_id
from studyattn.packs.locate import (
    Capstone,
    capstones_of,
    check_goal,
    drill_titles,
    installed_packs,
    manifest,
    pack_folders,
)
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import StoredConcept, taught_concepts
from studyattn.store.queries.lessons import lesson_pages
from studyattn.store.queries.path import PathItem, path_items, placed_concepts
from studyattn.store.queries.practice import drill_states
from studyattn.store.queries.queue import requirements
from studyattn.store.queries.settings import reading_times
from studyattn.store.vocabulary import DRILL, KNOWN, KNOWN_UNKNOWN, UNSEEN
from studyattn.study.profile import Profile
from studyattn.study.records import starts_of
from studyattn.study.rules.evidence import HELD_DAYS
from studyattn.text.counting import count


class ConceptProgress(StrEnum):
    """The progress of a concept, by its items."""

    NOT_BEGUN = "not begun"
    PLACED = "placed"  # by a placement, and nothing was asked since
    LEARNING = "learning"
    HELD = "held"  # every card for HELD_DAYS, every drill passed
    KNOWN = "known"  # the learner says so


class CardsOnPath(NamedTuple):
    """Numbers of a concept's cards."""

    total: int
    new: int  # never asked
    due: int  # asked now
    held: int  # stable for HELD_DAYS or more


class DrillOnPath(NamedTuple):
    """A drill of a concept."""

    id: str
    title: str
    state: str  # new | tried | passed | revealed
    due: datetime | None  # aware, UTC; None for one that was never rated


class PathStop(NamedTuple):
    """A concept at its place on the path."""

    slug: str
    title: str
    pack: str
    state: str  # unseen | known-unknown | known
    progress: ConceptProgress
    position: int  # 1 is the first
    lesson: str | None  # new | begun | over: read to its end or skipped; None: it has no lesson
    cards: CardsOnPath
    drills: tuple[DrillOnPath, ...]

    @property
    def is_begun(self) -> bool:
        """Return whether something was asked, or it is placed or known."""
        return self.progress is not ConceptProgress.NOT_BEGUN

    @property
    def share(self) -> float:
        """The learnt share, 0 to 1: a card that was begun counts half, one that is held whole."""
        passed = sum(drill.state == "passed" for drill in self.drills)
        tried = sum(drill.state != "new" for drill in self.drills)
        total = self.cards.total + len(self.drills)
        begun = self.cards.total - self.cards.new + tried
        return (begun + self.cards.held + passed) / (2 * total) if total else 0.0


class ConceptAhead(NamedTuple):
    """A concept of which something is new, at its place in the order of learning."""

    slug: str
    begun: bool
    items: tuple[PathItem, ...]  # the new ones, drills after cards


class CapstoneOnPath(NamedTuple):
    """The distance to something that runs as a whole."""

    title: str
    run: str  # the command that shows it
    passed: int  # of its drills
    drills: int
    lessons: int  # concepts to begin until all of its drills were asked

    @property
    def is_reached(self) -> bool:
        return self.passed == self.drills

    @property
    def is_near(self) -> bool:
        """Return whether what is left of it are drills, or it was begun."""
        return not self.is_reached and (self.passed > 0 or self.lessons == 0)

    @property
    def is_nearer(self) -> bool:
        """Return whether half of it has passed, so that it is worth more than the last one."""
        return not self.is_reached and 2 * self.passed >= self.drills


def to_run(ahead: CapstoneOnPath | None, reached: CapstoneOnPath | None) -> CapstoneOnPath | None:
    """Return which of the two is worth running now; None for neither."""
    if ahead is not None and (ahead.is_nearer or (reached is None and ahead.is_near)):
        return ahead
    return reached


class LearningPath(NamedTuple):
    """The whole path."""

    stops: tuple[PathStop, ...]
    ahead: tuple[ConceptAhead, ...]  # in the order in which the queue brings new cards
    goals: tuple[str, ...]  # ids of the drills that the packs call goals
    capstones: tuple[Capstone, ...]  # of the packs, as they name them
    goal: str  # what it goes to first

    @property
    def next(self) -> str | None:
        """The slug of the concept that is begun next; None when all are."""
        return next((each.slug for each in self.ahead if not each.begun), None)

    @property
    def begun(self) -> int:
        """Concepts of which something was asked, or that are placed or known."""
        return sum(stop.is_begun for stop in self.stops)

    @property
    def next_title(self) -> str | None:
        """Return the title of the concept that is begun next; None when all are."""
        return next((stop.title for stop in self.stops if stop.slug == self.next), None)

    @property
    def next_drill(self) -> str | None:
        """Return the title of the first drill that has not passed; None when all have."""
        ahead = (each.title for each in self.drills.values() if each.state != "passed")
        return next(ahead, None)

    @property
    def drills(self) -> dict[str, DrillOnPath]:
        """Return the drills of all concepts by their ids."""
        return {each.id: each for stop in self.stops for each in stop.drills}

    @property
    def tally(self) -> str:
        """Return how much of it is begun and held."""
        begun = "begun or placed" if self.placed else "begun"
        return f"{self.begun} of {count(len(self.stops), 'concept')} {begun}, {self.held} held"

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

    def lessons_until(self) -> dict[str, int]:
        """Return for each new item the concepts to begin until it, its own included."""
        lessons: dict[str, int] = {}
        to_begin = 0
        for concept in self.ahead:
            to_begin += not concept.begun
            lessons |= {item.guid: to_begin for item in concept.items}
        return lessons

    def nearest(self) -> tuple[CapstoneOnPath | None, CapstoneOnPath | None]:
        """Return the nearest capstone ahead, and the one that was reached last."""
        capstones = self.to_capstones()
        ahead = (each for each in capstones if not each.is_reached)
        reached = (each for each in reversed(capstones) if each.is_reached)
        nearest = min(ahead, key=lambda each: (not each.is_near, each.lessons), default=None)
        return nearest, next(reached, None)

    def reached_with(self, drill: str) -> str | None:
        """Return the title of a capstone that is reached and has this drill; None for none."""
        own = {each.title for each in self.capstones if drill in each.drills}
        reached = (each.title for each in self.to_capstones() if each.is_reached)
        return next((title for title in reached if title in own), None)

    def to_capstones(self) -> tuple[CapstoneOnPath, ...]:
        """Return how far it is to each capstone whose drills are installed, in their order."""
        drills = self.drills
        lessons = {drill_id(guid): far for guid, far in self.lessons_until().items()}
        return tuple(
            CapstoneOnPath(
                title=each.title,
                run=each.run,
                passed=sum(drills[drill].state == "passed" for drill in each.drills),
                drills=len(each.drills),
                lessons=max(lessons.get(drill, 0) for drill in each.drills),
            )
            for each in self.capstones
            if drills.keys() >= set(each.drills)
        )


def read_path(profile: Profile, goal: str | None = None, *, newcomer: bool = False) -> LearningPath:
    """Return the path of the installed packs, as of now; with `goal`, as it would go there first.

    A `newcomer` has seen none of it. Raises NotFoundError for a goal that no pack has a route to.
    """
    chosen = profile.settings.goal
    if goal is None:
        goal = chosen
    else:
        check_goal(goal, profile.home)
    goals: list[str] = []
    capstones: list[Capstone] = []
    for pack in installed_packs(profile.home):
        goals += manifest(pack, "goals")
        capstones += capstones_of(manifest(pack, "capstones"))
    with profile.database.read() as connection:
        concepts = taught_concepts(connection)
        if goal != chosen:
            concepts = _toward(goal, profile, concepts)
        asked, drills = path_items(connection), drill_states(connection)
        if newcomer:
            concepts, asked, drills = *_unseen(concepts, asked), {}
        whole = {row.id: row for row in concepts}
        items = grouped((item.concept_id, item) for item in asked)
        stops = _stops(connection, profile, whole, items, drills)
        order = _learning_order(connection, whole)
    ahead = tuple(
        ConceptAhead(stops[concept].slug, stops[concept].is_begun, new)
        for concept in order
        if (new := tuple(_new_items(items[concept], drills)))
    )
    return LearningPath(
        tuple(stops.values()),
        ahead,
        tuple(goals),
        tuple(capstones),
        goal,
    )


def _unseen(
    concepts: Iterable[StoredConcept], items: Iterable[PathItem]
) -> tuple[list[StoredConcept], list[PathItem]]:
    """Return concepts and items as they are at first; explanations are items only later."""
    new = [
        each._replace(phase=Phase.NEW, due=None, stability=None, last_review=None)
        for each in items
        if EXPLANATION_MARK not in each.guid
    ]
    return [each._replace(state=UNSEEN) for each in concepts], new


def _stops(
    connection: Connection,
    profile: Profile,
    concepts: Mapping[int, StoredConcept],
    items: Mapping[int, Sequence[PathItem]],
    drills: Mapping[str, str],
) -> dict[int, PathStop]:
    """Return the place of each concept on the path, and how far it is."""
    now, titles = profile.clock.now(), drill_titles(profile.home)
    waiting = _waiting(connection, concepts.values(), items)
    pages = lesson_pages(connection)
    reading = reading_times(connection) if profile.settings.lessons else {}
    stops = {}
    for position, (number, row) in enumerate(concepts.items(), start=1):
        own = items[number]
        cards, written = _cards(own, now), tuple(_drills(own, drills, titles))
        stops[number] = PathStop(
            slug=row.slug,
            title=row.title,
            pack=row.pack or "",
            state=row.state,
            progress=_progress(row.state, cards, written, placed=number in waiting),
            position=position,
            lesson=_lesson(row, own, reading, pages),
            cards=cards,
            drills=written,
        )
    return stops


def _toward(goal: str, profile: Profile, concepts: Sequence[StoredConcept]) -> list[StoredConcept]:
    """Return the concepts with what a goal needs first, those of a pack in the places of the pack.

    Raises PackError for a pack that cannot be read.
    """
    from studyattn.packs.read import load_pack  # late: the path in its own order does without

    order = {
        (name, slug): place
        for name, folder in pack_folders(profile.home).items()
        for place, slug in enumerate(load_pack(folder).toward(goal).path)
    }

    def place(row: StoredConcept) -> int:
        pack = row.pack or ""
        own = row.slug, row.slug.removeprefix(f"{pack}-")
        return next((order[pack, each] for each in own if (pack, each) in order), len(order))

    of_packs = grouped((row.pack, row) for row in sorted(concepts, key=place, reverse=True))
    return [of_packs[row.pack].pop() for row in concepts]


def _new_items(items: Iterable[PathItem], drills: Mapping[str, str]) -> Iterator[PathItem]:
    """Yield what is new of a concept, drills last; one that was passed and not rated is not."""
    for item in sorted(items, key=lambda each: each.kind == DRILL):
        if item.phase == Phase.NEW and drills.get(item.guid) != "passed":
            yield item


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
    reading: Mapping[str, float],
    pages: Mapping[str, str | None],
) -> str | None:
    """Return how far the lesson of a concept was read; None where no item has a page before it."""
    if reading.keys().isdisjoint(item.guid for item in items):
        return None
    name = f"{row.pack}:{row.slug}"
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
    return {each for each in placed if not any(_is_asked(item, starts) for item in items[each])}


def _is_asked(item: PathItem, starts: Mapping[str, MemoryStart]) -> bool:
    """Return whether an item is a card that was asked since its memory began."""
    if item.kind == DRILL or item.phase == Phase.NEW:
        return False
    start = starts.get(item.guid)
    return start is None or item.last_review != start.at


def _progress(
    state: str, cards: CardsOnPath, drills: Sequence[DrillOnPath], *, placed: bool
) -> ConceptProgress:
    states = {drill.state for drill in drills}
    if state == KNOWN:
        return ConceptProgress.KNOWN
    if placed and states <= {"new"}:
        return ConceptProgress.PLACED
    if cards.new == cards.total and states <= {"new"}:
        return ConceptProgress.NOT_BEGUN
    if cards.held == cards.total and states <= {"passed"}:
        return ConceptProgress.HELD
    return ConceptProgress.LEARNING


def _learning_order(connection: Connection, concepts: Mapping[int, StoredConcept]) -> list[int]:
    """Return the concepts in the order in which the queue brings their new cards."""
    wish = {KNOWN_UNKNOWN: 0, KNOWN: 2}
    wished = sorted(concepts, key=lambda each: wish.get(concepts[each].state, 1))
    requires = grouped(each for each in requirements(connection) if each[1] in concepts)
    return list(in_learning_order(wished, requires.__getitem__))
