"""The path: all concepts in learning order, how far each is, how far it is to the goals.

Beside it the page of the chosen concept. The map of a placement is the same list, to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.concepts.goals import Goals, read_goals
from studyattn.study.concepts.path import (
    ConceptProgress,
    DrillOnPath,
    LearningPath,
    PathStop,
    read_path,
    to_run,
)
from studyattn.study.concepts.placement import MapStop, PlacementTest, keep, read_placement
from studyattn.study.profile import Profile
from studyattn.tui.formatting import Days, count, day_name, join_lines, pad, progress_bar
from studyattn.tui.screens.asking import AskingScreen
from studyattn.tui.screens.base import need, queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.concept_page import draw_beside
from studyattn.tui.widgets.header_footer import Offers


class PathScreen(ListDetailScreen[PathStop]):
    """The list under its goals; enter opens a concept's page."""

    SCOPE = "The path"
    EMPTY = "No concepts yet. Concepts come with a pack."
    _path: LearningPath
    _goals: Goals | None = None  # until they are estimated

    def body(self) -> Iterable[Widget]:
        yield Static(id="goals", markup=False)
        yield from super().body()

    async def load(self) -> None:
        self._path = await self.study(read_path)
        self.show({stop.slug: stop for stop in self._path.stops})
        self.do(self._estimate)

    async def _estimate(self) -> None:
        """Estimate the dates of the goals, once the rest is on the screen."""
        await self.painted()
        self._goals = await self.study(read_goals, self._path)
        self.draw()
        self.call_after_refresh(self.center)

    def heading(self) -> tuple[str, str]:
        return "The path", self._path.tally if self.is_loaded and self.rows else ""

    def draw(self) -> None:
        super().draw()
        if self.is_loaded:
            goals = draw_goals(self._path, self._goals, self.size.width - 8)
            self.query_one("#goals", Static).update(goals)

    def draw_rows(self, width: int) -> Iterable[Content]:
        return draw_stops([*self.rows.values()], self._path.next, self.days(), width)

    def reader(self, key: str) -> Callable[[Profile], object]:
        return partial(show_concept, slug=key)

    def draw_detail(self, _item: PathStop, width: int) -> Content | None:
        """Return the page of the chosen concept, once it is read."""
        return draw_beside(self.read, width, self.concept_view()) if self.read else None

    def first(self) -> str:
        """Return the concept that is begun next, else the first."""
        return self._path.next or super().first()

    def hints(self) -> Offers:
        drill = self.chosen is not None and bool(self.chosen.drills) and "drill"
        chosen = self.chosen_key and "open explain"
        runs = self.is_loaded and to_run(*self._path.nearest()) is not None and "capstone"
        return (chosen, drill, runs, "back go.today go.concepts go.drills")

    def action_open(self) -> None:
        self.go("concept", need(self.chosen_key))

    def action_explain(self) -> None:
        self.go("concept", need(self.chosen_key), explains=True)

    def action_capstone(self) -> None:
        found = need(to_run(*self._path.nearest()), "nothing runs yet")
        self.services.run_command(found.run)

    def action_drill(self) -> None:
        drills = need(need(self.chosen).drills)
        ahead = (drill for drill in drills if drill.state != "passed")
        self.go("drill", next(ahead, drills[0]).id)


class PlacedScreen(ListDetailScreen[MapStop], global_keys=False, before_widgets=True):
    """Each concept is placed or not yet; nothing changes before the map is kept.

    Enter keeps the whole map, where it opens the chosen row in other lists. A click on a row
    places that concept, or takes it back.
    """

    SCOPE = "The map of a placement"
    DETAIL = False
    EMPTY = PathScreen.EMPTY

    def __init__(self, stops: Iterable[MapStop]) -> None:
        super().__init__()
        self._stops = {stop.slug: stop for stop in stops}

    async def load(self) -> None:
        self.show(self._stops)

    def heading(self) -> tuple[str, str]:
        placed = sum(stop.placed for stop in self._stops.values())
        return "Where you are", f"{placed} of {count(len(self._stops), 'concept')} placed"

    def first(self) -> str:
        """Return the first concept that is not placed."""
        ahead = (slug for slug, stop in self._stops.items() if not stop.placed)
        return next(ahead, super().first())

    def draw_rows(self, width: int) -> Iterable[Content]:
        longest = max((len(stop.title) for stop in self._stops.values()), default=0)
        title = min(longest, width - _PROGRESS - _ANSWER - 5)
        for stop in self._stops.values():
            yield Content.assemble(
                Content.styled(*_PLACING[stop.placed]),
                " ",
                pad(stop.title, title),
                "  ",
                pad(Content.styled("placed" if stop.placed else "not yet", "$quiet"), _PROGRESS),
                " ",
                (_ANSWERS[stop.answer], "$quiet"),
            )

    def hints(self) -> Offers:
        return (bool(self._stops) and "keep toggle explain", ("back", "don't keep"))

    def action_open(self) -> None:
        chosen = need(self.chosen)
        self._stops[chosen.slug] = chosen._replace(placed=not chosen.placed)
        self.show(self._stops)

    def action_explain(self) -> None:
        self.go("concept", need(self.chosen_key), explains=True)

    async def action_keep(self) -> None:
        placed = [slug for slug, stop in self._stops.items() if stop.placed]
        cards = await self.study(keep, slugs=placed)
        self.services.back()
        self.notify(
            f"{count(len(placed), 'concept')} placed"
            + (f"; {count(cards, 'card')} changed" if cards else ""),
            markup=False,
        )


class PlacementScreen(AskingScreen, global_keys=False):
    """The questions; escape leaves without keeping anything."""

    SCOPE = "Placement"
    OPENING = "Where are you?"
    PLACEHOLDER = "your answer (empty = I don't know)"
    _test: PlacementTest
    _right: bool | None = None  # None: the learner has to say

    async def load(self) -> None:
        if not self.is_loaded:
            self._test = await self.study(PlacementTest)
            await self._begin()

    # What is shown.

    def draw(self) -> None:
        test, card = self._test, self._test.card
        if card is None:
            return
        at = f"{test.number} of at most {test.most}"
        self.headline(self.OPENING, Content.assemble((f"{card.concept_title}   ", "$quiet"), at))
        self.draw_card(card)

    def hints(self) -> Offers:
        if self._test.card is None:
            return ("back",)
        if self.typed.has_focus:
            return (("reveal", "check", "enter"), ("back", "other keys"))
        if not self.is_revealed:
            return ("reveal missed map", ("back", "leave"))
        next_ = "missed knew" if self._right is None else ("reveal", "next")
        return (next_, ("back", "leave"))

    # What the keys do.

    async def action_reveal(self) -> None:
        if not self.is_revealed:
            await self.submit()
        elif self._right is not None:
            await self._go_on(right=self._right)

    async def action_judge(self, right: bool) -> None:
        if self.is_revealed and self._right is None:
            await self._go_on(right=right)
        elif not self.is_revealed and not right:
            self._right = False
            await self.submit()

    async def submit(self) -> None:
        card = self._test.card
        if card is None or self.is_revealed:
            return
        if self._right is None:
            await self.compare_typed(card)
        if card.takes_input:
            self._right = self.comparison.correct if self.comparison is not None else False
        self.turn_over()
        self.show_hints()

    async def _go_on(self, *, right: bool) -> None:
        await self.database.run(self._test.answer, right=right)
        await self._begin()

    async def _begin(self) -> None:
        """Show the next question, or the map after the last one."""
        self._right = None
        card = self._test.card
        if card is None:
            self.action_map()
            return
        self.begin(types=card.takes_input)
        self.redraw()

    @queued
    async def action_map(self) -> None:
        """Show the map of the answers; without any, the one that was kept last."""
        stops: tuple[MapStop, ...] = self._test.result()
        if self._test.number == 1:
            stops = await self.study(read_placement)
        self.services.back()
        self.services.go("placed", stops)


_BAR = 8
_SHORT_BAR = 4  # where the titles need the room
_PROGRESS = 9  # columns of the word for how far a concept is
_ANSWER = 12  # columns of what was answered
_SIGNS = {
    ConceptProgress.NOT_BEGUN: ("○", "$quiet"),
    ConceptProgress.PLACED: ("◐", "$quiet"),
    ConceptProgress.LEARNING: ("●", "$accent"),
    ConceptProgress.HELD: ("✓", "$right"),
    ConceptProgress.KNOWN: ("✓", "$right"),
}
_DRILL_STATES = {
    "new": ("", ""),
    "tried": ("tried", "$quiet"),
    "passed": ("✓", "$right"),
    "revealed": ("seen", "$quiet"),
}
_NEXT = ("▸", "$accent bold")
_NEAREST = 3  # goals that are shown above the list, beside the end of the path


def draw_goals(path: LearningPath, goals: Goals | None, width: int) -> Content:
    """Return the nearest goals, with the way to each, the end, and what was reached last."""
    if not path.ahead:
        whole = "You have finished the path: every card and drill has been asked."
        return Content.styled(whole if path.stops else "", "$right")
    if goals is None:
        return Content.styled("⚑ estimating your dates …", "$quiet")
    near = {*goals.milestones[:_NEAREST], goals.milestones[-1]}
    shown = [pair for pair in zip(goals.milestones, goals.ways(), strict=True) if pair[0] in near]
    titles, ways = [each.title for each, _ in shown], [way for _, way in shown]
    longest, room = max(map(len, titles)), width - 4
    if longest + max(map(len, ways)) + len(goals.pace) <= room:
        ways = [way + goals.pace if way != "today" else way for way in ways]
    elif any(len(title) + len(way) > room for title, way in zip(titles, ways, strict=True)):
        ways = [each.when(goals.today, short=True) for each, _ in shown]
    return join_lines([*_ahead(titles, ways, room), *_reached(path, width)])


def _ahead(titles: Sequence[str], ways: Sequence[str], room: int) -> Iterable[Content]:
    """Yield what lies ahead with the ways to it, in columns where there is room for them."""
    longest = max(map(len, titles))
    in_columns = longest + max(map(len, ways)) <= room
    for title, way in zip(titles, ways, strict=True):
        name = pad(title, longest if in_columns else room - len(way))
        yield Content.assemble(("⚑ ", "$accent"), name, "  ", (way, "$quiet"))


def _reached(path: LearningPath, width: int) -> Iterable[Content]:
    for each in filter(None, path.nearest()[1:]):
        line = Content.assemble(("✓ ", "$right"), each.title, (f"   {each.run}", "$quiet"))
        yield line.truncate(width, ellipsis=True)


def draw_stops(
    stops: Sequence[PathStop], following: str | None, days: Days, width: int
) -> Iterable[Content]:
    """Yield a row for each concept; the one called `following` is begun next.

    Its title has all the room that its drills and its bar leave; drills have names where all rows
    have room for them.
    """
    for bar, named in ((_BAR, True), (_BAR, False), (_SHORT_BAR, False)):
        drills = [_drills(stop.drills, days, named=named) for stop in stops]
        bars = [progress_bar(stop.share, bar) if stop.share else " " * bar for stop in stops]
        ends = [Content.assemble(*pair) for pair in zip(drills, bars, strict=True)]
        rows = zip(stops, ends, strict=True)
        if all(len(stop.title) + end.cell_length + 4 <= width for stop, end in rows):
            break
    for stop, end in zip(stops, ends, strict=True):
        sign = _NEXT if stop.slug == following else _SIGNS[stop.progress]
        beside = end if stop.share or stop.drills else Content()
        title = pad(stop.title, width - 4 - beside.cell_length)
        yield Content.assemble(Content.styled(*sign), " ", title, "  ", beside)


_PLACING = {True: _SIGNS[ConceptProgress.HELD], False: _SIGNS[ConceptProgress.NOT_BEGUN]}
_ANSWERS = {None: "", True: "answered", False: "not known"}


def _drills(drills: Sequence[DrillOnPath], days: Days, *, named: bool) -> Content:
    """Return the drills with their states, and their names where there is room."""
    parts: list[Content | str] = []
    for drill in drills:
        words, style = _DRILL_STATES[drill.state]
        if drill.due is not None:
            is_due, day = drill.due <= days.now, day_name(days.of(drill.due), days.today)
            words, style = ("due", "$accent") if is_due else (f"due {day}", "$quiet")
        words = words if named else words.removeprefix("due ")
        name = f" {drill.id}" if named else ""
        parts += [Content.assemble(f"✎{name}", (f" {words}" if words else "", style)), "  "]
    return Content.assemble(*parts)
