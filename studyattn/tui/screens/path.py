"""The path: all concepts in learning order, how far each is, how far it is to the goals.

Beside it the page of the chosen concept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.study.concepts.concept_page import ConceptPage, show_concept
from studyattn.study.concepts.path import LearningPath, PathStop, read_path
from studyattn.tui.actions import Scope
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets import path_view
from studyattn.tui.widgets.concept_page import draw_detail
from studyattn.tui.widgets.header_footer import Hint, hint


class PathScreen(ListDetailScreen[PathStop]):
    """The list under its goals; enter opens a concept's page."""

    SCOPE = Scope.PATH

    def __init__(self) -> None:
        super().__init__()
        self._path: LearningPath | None = None
        self._page: ConceptPage | None = None

    def body(self) -> Iterable[Widget]:
        yield Static(id="goals", markup=False)
        yield from super().body()

    async def load(self) -> None:
        self._path = await self.database.run_with_profile(read_path)
        self._page = None
        self.show({stop.slug: stop for stop in self._path.stops})

    def heading(self) -> tuple[str, str]:
        return "The path", path_view.tally(self._path) if self._path is not None else ""

    def draw(self) -> None:
        super().draw()
        if self._path is not None:
            goals = path_view.draw_goals(self._path, self.size.width - 8)
            self.query_one("#goals", Static).update(goals)
            self.call_after_refresh(self.options.scroll_to_highlight)  # the goals take lines

    def empty(self) -> str:
        return "No concepts yet. Concepts come with a pack."

    def draw_rows(self, width: int) -> Iterable[Content]:
        following = self._path.next if self._path is not None else None
        return path_view.draw_stops([*self.rows.values()], following, self.days(), width)

    async def read_chosen(self) -> None:
        chosen = self.chosen_key
        if chosen is None or self.has_class("-narrow"):
            return
        if self._page is None or self._page.line.slug != chosen:
            read = partial(show_concept, slug=chosen)
            self._page = await self.database.run_with_profile(read)

    def draw_detail(self, item: PathStop, width: int) -> Content | None:
        """Return the page of the chosen concept, once it is read."""
        if self._page is None or self._page.line.slug != item.slug:
            return None
        return draw_detail(self._page, width, self.concept_view())

    def first(self) -> str:
        """Return the concept that is begun next, else the first."""
        following = self._path.next if self._path is not None else None
        return following or super().first()

    def hints(self) -> Iterable[Hint]:
        if self.chosen_key is not None:
            yield hint("path.open")
            yield hint("path.explain")
            if self.chosen is not None and self.chosen.drills:
                yield hint("path.drill")
        yield hint("back")
        for name in ("today", "concepts", "drills"):
            yield hint(f"go.{name}")

    def action_open(self) -> None:
        """Open the page of the chosen concept."""
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key)

    def action_follow(self, _place: int) -> None:
        """Open the page on which the line that was clicked leads somewhere."""
        self.action_open()

    def action_explain(self) -> None:
        """Read the explanation of the chosen concept."""
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key, explains=True)

    def action_drill(self) -> None:
        """Open the drill of the chosen concept, the first that was not passed."""
        drills = self.chosen.drills if self.chosen is not None else ()
        if drills:
            ahead = (drill for drill in drills if drill.state != "passed")
            self.go("drill", next(ahead, drills[0]).id)
