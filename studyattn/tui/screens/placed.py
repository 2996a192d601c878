"""The map of a placement: all concepts in learning order, which the learner may change and keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from textual.content import Content

from studyattn.study.concepts.placement import MapStop, keep
from studyattn.tui.actions import Scope
from studyattn.tui.formatting import count
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets import path_view
from studyattn.tui.widgets.header_footer import Hint, hint


class PlacedScreen(ListDetailScreen[MapStop], global_keys=False, before_widgets=True):
    """Each concept is placed or not yet; nothing changes before the map is kept.

    Enter keeps the whole map, where it opens the chosen row in other lists. A click on a row
    places that concept, or takes it back.
    """

    SCOPE = Scope.PLACED
    DETAIL = False

    def __init__(self, stops: Iterable[MapStop]) -> None:
        super().__init__()
        self._stops = {stop.slug: stop for stop in stops}

    async def load(self) -> None:
        self.show(self._stops)

    def heading(self) -> tuple[str, str]:
        placed = sum(stop.placed for stop in self._stops.values())
        return "Where you are", f"{placed} of {count(len(self._stops), 'concept')} placed"

    def empty(self) -> str:
        return "No concepts yet. Concepts come with a pack."

    def first(self) -> str:
        """Return the first concept that is not placed."""
        ahead = (slug for slug, stop in self._stops.items() if not stop.placed)
        return next(ahead, super().first())

    def draw_rows(self, width: int) -> Iterable[Content]:
        return path_view.draw_map([*self.rows.values()], width)

    def hints(self) -> Iterable[Hint]:
        if self._stops:
            yield hint("placed.keep")
            yield hint("placed.toggle")
            yield hint("placed.explain")
        yield hint("back", "don't keep")

    def action_open(self) -> None:
        """Place the chosen concept, or take it back."""
        chosen = self.chosen
        if chosen is not None:
            self._stops[chosen.slug] = replace(chosen, placed=not chosen.placed)
            self.show(self._stops)

    def action_explain(self) -> None:
        """Read the explanation of the chosen concept."""
        if self.chosen_key is not None:
            self.go("concept", self.chosen_key, explains=True)

    @queued
    async def action_keep(self) -> None:
        """Keep the map: from then on placed concepts are asked without their lessons."""
        placed = [slug for slug, stop in self._stops.items() if stop.placed]
        cards = await self.database.run_with_profile(partial(keep, slugs=placed))
        self.services.back()
        self.services.notify(
            f"{count(len(placed), 'concept')} placed"
            + (f"; {count(cards, 'card')} changed" if cards else ""),
            markup=False,
        )
