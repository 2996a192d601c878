"""Two short questions of the drill screen: how did it go, and do you want to see the solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from studyattn.memory.state import Rating
from studyattn.study.review.views import RatingChoice
from studyattn.study.rules.rating_suggestion import SuggestedRating
from studyattn.tui.dialogs.dialog import Dialog, keys_line
from studyattn.tui.widgets.rating_bar import RATING_COLOURS


class RatingScreen(Dialog[Rating | None]):
    """Dismisses with a rating, the suggested one at enter, or with None."""

    CSS_PATH = "text_page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *[Binding(str(int(each)), f"screen.rate({int(each)})", show=False) for each in Rating],
        Binding("enter,space,r", "screen.accept", "As suggested", show=False),
        Binding("escape", "screen.leave", "Not yet", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, suggested: SuggestedRating, choices: Sequence[RatingChoice]) -> None:
        super().__init__()
        self._suggested = suggested
        self._choices = choices

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled("Rate and finish", "bold"), classes="title")
            yield Static(Content("\n").join(self._lines()), id="ratings")
            yield keys_line(("enter", self._suggested.rating.name.lower()), ("esc", "cancel"))

    def on_mount(self) -> None:
        self.query_one(
            "#ratings"
        ).auto_links = False  # a rating can be clicked, and keeps its colours

    def _lines(self) -> list[Content]:
        rating = self._suggested.rating.name.lower()
        lines = [
            Content.assemble(self._suggested.reason, " Suggested: ", (rating, "bold"), "."),
            Content(),
        ]
        for choice in self._choices:
            suggested = choice.rating is self._suggested.rating
            lines.append(
                Content.assemble(
                    ("▸ " if suggested else "  ", "$accent bold"),
                    (f" {int(choice.rating)} ", f"reverse bold {RATING_COLOURS[choice.rating]}"),
                    (f" {choice.rating.name.lower():<8}", "bold" if suggested else ""),
                    (choice.interval, "$quiet"),
                ).stylize(Style.from_meta({"@click": f"screen.rate({int(choice.rating)})"}))
            )
        return lines

    def action_rate(self, rating: int) -> None:
        self.dismiss(Rating(rating))

    def action_accept(self) -> None:
        self.dismiss(self._suggested.rating)


class ConfirmScreen(Dialog[bool]):
    """A question that is asked only where an answer cannot be undone."""

    CSS_PATH = "text_page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "screen.answer(True)", "Yes", show=False),
        Binding("n,escape", "screen.answer(False)", "No", show=False),
    ]
    AUTO_FOCUS = ""

    def __init__(self, question: str, explanation: str) -> None:
        super().__init__()
        self._question = question
        self._explanation = explanation

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._question, "bold"), classes="title")
            yield Static(Content(self._explanation))
            yield keys_line(("y", "yes"), ("n", "no"))

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
