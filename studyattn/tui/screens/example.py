"""A card's example: its code, and what it prints when it is run in the sandbox now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from studyattn.tui.widgets.cardface import verdict_styles
from studyattn.tui.widgets.face import face

if TYPE_CHECKING:
    from studyattn.grading.script import ScriptRunner
    from studyattn.packs.examples import ExampleRun
    from studyattn.tui.app import StudyApp


class ExampleScreen(ModalScreen[None]):
    """Runs the example when it opens; escape stops it and closes."""

    CSS_PATH = "example.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,x,enter,space", "screen.leave", "Stop and close", show=False)
    ]

    def __init__(self, example: Mapping[str, str]) -> None:
        super().__init__()
        self._example = example
        self._runner: ScriptRunner | None = None
        self.run_of_example: ExampleRun | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content.styled(self._example["title"], "bold"), classes="title")
            with VerticalScroll(id="text"):
                yield Static(id="drawing", markup=False)
            yield Static(id="state", classes="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#text").focus()
        self.run_worker(self._start(), exit_on_error=False)

    async def _start(self) -> None:
        try:
            self.run_of_example = await asyncio.to_thread(self._carry_out)
        except Exception as error:  # noqa: BLE001 - told in a modal, unless the learner has left
            if self.is_attached:
                self.study.show_trouble(error)
        if self.is_attached:
            self._draw()
            self.call_after_refresh(self.query_one("#text").scroll_end, animate=False)

    def _carry_out(self) -> ExampleRun:
        from studyattn.grading.script import ScriptRunner
        from studyattn.packs.examples import run_example
        from studyattn.packs.model import Example, Place

        example = Example(place=Place("", 0), **self._example)
        with ScriptRunner() as self._runner:
            return run_example(example, self._runner)

    @property
    def study(self) -> StudyApp:
        """The app, by its own type."""
        return cast("StudyApp", self.app)

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        width = max(20, self.query_one("#text").content_size.width)
        look = self.study.look
        text = Text()
        text.append_text(face(f"```python\n{self._example['source']}\n```", width, look))
        run = self.run_of_example
        if run is not None:
            text.append("\n\n")
            text.append(run.output.rstrip() or "(it printed nothing)", style="bold")
        self.query_one("#drawing", Static).update(text)
        self.query_one("#state", Static).update(self._state())

    def _state(self) -> Text:
        run, look = self.run_of_example, self.study.look
        right, wrong = verdict_styles(look)
        text = Text()
        if run is None:
            text.append("running …   esc stops it")
        elif run.problem:
            text.append(f"✗ {run.problem}", style=wrong)
        else:
            text.append("✓ ", style=right)
            text.append(f"{run.seconds * 1000:.0f} ms   esc close")
        return text

    def action_leave(self) -> None:
        """Stop what runs, and close."""
        if self.run_of_example is None and self._runner is not None:
            self._runner.close()
        self.dismiss(None)
