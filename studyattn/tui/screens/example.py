"""A card's example: its code, and what it prints when it is run in the sandbox now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from textwrap import indent
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.text.render import CODE_INDENT
from studyattn.tui.dialogs.dialog import Dialog
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.theme import colours
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.grading.run.script import ScriptResult, ScriptRunner


class ExampleScreen(Dialog[None]):
    """Runs the example when it opens; escape stops it and closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x,enter,space", "screen.leave", "Stop and close", show=False),
        Binding("e", "screen.edit", "Edit and rerun", show=False),
    ]

    def __init__(self, example: Mapping[str, str]) -> None:
        super().__init__(example["title"])
        self._example = example
        self._source = example["source"]  # as it is run: the learner may have edited it
        self._runner: ScriptRunner | None = None
        self._left = False
        self.run_of_example: ScriptResult | None = None

    def content(self) -> Iterable[Widget]:
        yield VerticalScroll(Static(id="drawing", markup=False), id="text")

    def on_mount(self) -> None:
        self.run_worker(self._start(), exit_on_error=False)

    async def _start(self) -> None:
        try:
            self.run_of_example = await asyncio.to_thread(self._carry_out)
        except Exception as error:  # noqa: BLE001 - told in a modal, unless the learner has left
            if self.is_attached:
                self.services.show_error(error)
        if self.is_attached:
            self._draw()
            self.call_after_refresh(self.query_one("#text").scroll_end, animate=False)

    def _carry_out(self) -> ScriptResult:
        # Late: these are imported in the thread that runs the example.
        from studyattn.grading.run.script import ScriptRunner
        from studyattn.packs.examples import run_example
        from studyattn.packs.model import Example, SourceLocation

        given, nowhere = self._example, SourceLocation("", 0)
        example = Example(given["id"], given["title"], self._source, given["output"], nowhere)
        with ScriptRunner() as self._runner:
            if self._left:  # before there was anything to stop
                self._runner.stop()
            if self._source == given["source"]:
                return run_example(example, self._runner)
            return self._runner.run(self._source)

    def on_resize(self) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        width = max(20, self.query_one("#text").content_size.width)
        run = self.run_of_example
        text = face(f"```python\n{self._source}\n```", width).copy()
        right, wrong = colours().right, colours().wrong
        state = Text("running …   esc stops it")
        if run is not None:
            printed = run.stdout.rstrip() or "(it printed nothing)"
            text.append("\n\n")
            text.append(indent(printed, " " * CODE_INDENT, lambda _line: True), style="bold")
            state = Text.assemble((f"✗ {run.error}   ", wrong))
            if not run.error:
                state = Text.assemble(("✓ ", right), f"{run.seconds * 1000:.0f} ms   ")
            state.append("e edit   esc close")
        self.query_one("#drawing", Static).update(text)
        self.query_one("#keys", Static).update(state)

    def action_edit(self) -> None:
        """Edit the program, and run it again. What was edited is forgotten with this dialog."""
        if self.run_of_example is None:
            return

        def run_again(written: Written | None) -> None:
            if written is not None:
                self._source, self.run_of_example = written["source"], None
                self._draw()
                self.run_worker(self._start(), exit_on_error=False)

        editor = EditorScreen("Edit the program", Field("source", "", self._source, 40))
        self.app.push_screen(editor, run_again)

    def action_leave(self) -> None:
        """Stop what runs, and close. The thread that waits for it ends the rest."""
        self._left = True
        if self._runner is not None:
            self._runner.stop()
        self.dismiss(None)
