"""The path: all concepts in learning order, how far each is, how far it is to the goals.

Beside it the page of the chosen concept. The map of a placement is the same list, to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.concepts.path import (
    LearningPath,
    PathStop,
    read_path,
)
from studyattn.study.concepts.placement import MapStop, keep
from studyattn.study.profile import Profile
from studyattn.tui.formatting import (
    count,
)
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.concept_page import draw_detail
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.path_view import draw_goals, draw_map, draw_stops, tally


class PathScreen(ListDetailScreen[PathStop]):
    """The list under its goals; enter opens a concept's page."""

    SCOPE = "The path"
    EMPTY = "No concepts yet. Concepts come with a pack."

    def __init__(self) -> None:
        super().__init__()
        self._path: LearningPath | None = None

    def body(self) -> Iterable[Widget]:
        yield Static(id="goals", markup=False)
        yield from super().body()

    async def load(self) -> None:
        self._path = await self.study(read_path)
        self.show({stop.slug: stop for stop in self._path.stops})

    def heading(self) -> tuple[str, str]:
        return "The path", tally(self._path) if self._path is not None else ""

    def draw(self) -> None:
        super().draw()
        if self._path is not None:
            goals = draw_goals(self._path, self.size.width - 8)
            self.query_one("#goals", Static).update(goals)
            self.call_after_refresh(self.options.scroll_to_highlight)  # the goals take lines

    def draw_rows(self, width: int) -> Iterable[Content]:
        following = self._path.next if self._path is not None else None
        return draw_stops([*self.rows.values()], following, self.days(), width)

    def reader(self, key: str) -> Callable[[Profile], object]:
        return partial(show_concept, slug=key)

    def draw_detail(self, item: PathStop, width: int) -> Content | None:
        """Return the page of the chosen concept, once it is read."""
        del item
        return draw_detail(self.read, width, self.concept_view()) if self.read else None

    def first(self) -> str:
        """Return the concept that is begun next, else the first."""
        following = self._path.next if self._path is not None else None
        return following or super().first()

    def hints(self) -> Offers:
        drill = self.chosen is not None and bool(self.chosen.drills) and "drill"
        chosen = self.chosen_key and "open explain"
        return (chosen, drill, "back go.today go.concepts go.drills")

    def action_open(self) -> None:
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key)

    def action_explain(self) -> None:
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key, explains=True)

    def action_drill(self) -> None:
        drills = self.chosen.drills if self.chosen is not None else ()
        if drills:
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
        return draw_map([*self.rows.values()], width)

    def hints(self) -> Offers:
        return (bool(self._stops) and "keep toggle explain", ("back", "don't keep"))

    def action_open(self) -> None:
        chosen = self.chosen
        if chosen is not None:
            self._stops[chosen.slug] = replace(chosen, placed=not chosen.placed)
            self.show(self._stops)

    def action_explain(self) -> None:
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key, explains=True)

    @queued
    async def action_keep(self) -> None:
        placed = [slug for slug, stop in self._stops.items() if stop.placed]
        cards = await self.study(keep, slugs=placed)
        self.services.back()
        self.services.notify(
            f"{count(len(placed), 'concept')} placed"
            + (f"; {count(cards, 'card')} changed" if cards else ""),
            markup=False,
        )
