"""A modal that asks where a concept goes, and why: one key for each, the reason may stay empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Input, Static

from studyattn.tui.dialogs.dialog import Dialog, keys_line
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import TextLine


@dataclass(frozen=True, slots=True)
class Destination:
    """The state that a concept is moved to, and the reason."""

    state: str
    reason: str


class MoveScreen(Dialog[Destination | None]):
    """Dismisses with the destination, or with None when the learner left."""

    CSS_PATH = "move_concept.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "screen.step(-1)", "Previous state", show=False),
        Binding("down", "screen.step(1)", "Next state", show=False),
        Binding("enter,ctrl+s", "screen.move", "Move", show=False),
        Binding("escape", "screen.leave", "Cancel", show=False),
    ]

    def __init__(self, title: str, state: str, to: str | None = None) -> None:
        """Ask about a concept in `state`; `to` is chosen first, else the state that comes next."""
        super().__init__()
        self._title = title
        self._state = state
        order = list(NAMES)
        self._chosen = to or order[min(order.index(state) + 1, len(order) - 1)]
        if self._chosen == state:
            self._chosen = order[-2]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._title, "bold"), classes="title")
            yield Static(id="states", markup=False)
            yield Static(Content.styled("Reason (optional)", "$quiet"), classes="label")
            yield TextLine(id="reason")
            yield keys_line(("↑↓", "state"), ("enter", "move"), ("esc", "cancel"))

    def on_mount(self) -> None:
        self.query_one("#states").auto_links = False
        self._draw()
        self.query_one("#reason").focus()

    def _draw(self) -> None:
        lines = []
        for state, name in NAMES.items():
            here = Content.styled("  (current)", "$quiet") if state == self._state else ""
            pointer = ("▸ ", "$accent bold") if state == self._chosen else "  "
            line = Content.assemble(
                pointer, sign(state), " ", (name, "bold" if state == self._chosen else ""), here
            )
            lines.append(line.stylize(Style.from_meta({"@click": f"screen.choose('{state}')"})))
        self.query_one("#states", Static).update(Content("\n").join(lines))

    def action_step(self, by: int) -> None:
        order = list(NAMES)
        self._chosen = order[(order.index(self._chosen) + by) % len(order)]
        self._draw()

    def action_choose(self, state: str) -> None:
        self._chosen = state
        self._draw()

    def on_input_submitted(self) -> None:
        self.action_move()

    def action_move(self) -> None:
        reason = self.query_one("#reason", Input).value.strip()
        there = self._chosen == self._state
        self.dismiss(None if there else Destination(self._chosen, reason))
