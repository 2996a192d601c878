"""The four ratings below an answer: a coloured key each, its name, the interval that it gives.

Each can be clicked. The rating that space gives is underlined: good, or after a typed answer the
one that it suggests.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.tui.formatting import clickable

RATING_COLOURS: Mapping[Rating, str] = {
    Rating.AGAIN: "$again",
    Rating.HARD: "$hard",
    Rating.GOOD: "$good",
    Rating.EASY: "$easy",
}
"""The theme's colour of each rating; its key or name is always beside it."""


class RatingBar(Widget):
    """Shows the choices. It keeps its place while there are none, so that nothing else moves."""

    DEFAULT_CSS = """
    RatingBar { height: 2; width: 100%; border-top: solid $rule; }
    """

    auto_links = reactive(False)  # a rating can be clicked and keeps its colours
    choices: reactive[tuple[RatingChoice, ...]] = reactive(())
    accepted: reactive[Rating] = reactive(Rating.GOOD)  # the rating that space gives

    def show(self, choices: tuple[RatingChoice, ...], accepted: Rating) -> None:
        """Show these, `accepted` as the one that space gives."""
        self.accepted = accepted
        self.choices = choices

    def render(self) -> Content:
        """Return the four in a row, in the middle of wide terminals."""
        width = self.content_size.width
        row = Content()
        # Where there is no room: closer together, then narrow keys, then no intervals.
        for gap, edge, interval in (2, " ", True), (1, " ", True), (1, "", True), (1, " ", False):
            rated = (self._rating(each, edge, interval) for each in self.choices)
            row = Content(" " * gap).join(rated)
            if row.cell_length <= width - 2:
                break
        return Content.assemble(" " * max(1, (width - row.cell_length) // 2), row)

    def _rating(self, choice: RatingChoice, edge: str, interval: bool) -> Content:
        colour = RATING_COLOURS[choice.rating]
        underline = "underline" if choice.rating is self.accepted else ""
        text = Content.assemble(
            (f"{edge}{int(choice.rating)}{edge}", f"reverse bold {colour}"),
            " ",
            (choice.rating.name.lower(), f"bold {underline} {colour}"),
            (f" {choice.interval}" if interval else "", "$quiet"),
        )
        return clickable(text, f"screen.rate({int(choice.rating)})")
