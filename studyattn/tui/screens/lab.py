"""What all screens with a model share: its work in a worker, what it tells, and how that ends.

What computes is a process of its own (`study.practice.running`). It is asked in a thread, which
tells the screen by messages; nothing of it outlives the screen.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from rich.text import Text
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from studyattn.errors import GradingError, ModelPartError, StudyattnError
from studyattn.lm.process import StoppedError
from studyattn.study.practice.model_mistakes import Breakable, ModelMistake, mistakes
from studyattn.study.practice.model_parts import OwnParts
from studyattn.study.practice.real_model import InUse, in_use
from studyattn.study.practice.running import RunningModel
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.screens.base import StudyScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.side_panel import PANEL_BREAKPOINTS, ROOM, SidePanel

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner

T = TypeVar("T")

LONGEST_END: Final = 5.0
"""Seconds for which the end of a model's work is waited for when the screen closes."""

_WORK: Final = "model"
"""The group of the workers that ask a model."""


class LabScreen(StudyScreen):
    """A screen on which a model works, one thing at a time."""

    CSS_PATH = "lab.tcss"

    class Told(Message):
        """Something that a model's work tells, to be done by the screen."""

        def __init__(self, hear: Callable[[], None]) -> None:
            super().__init__()
            self.hear = hear

    def __init__(self) -> None:
        super().__init__()
        self._doing = ""  # empty when no model is at work
        self._lacking = ""  # why there is no real model
        self._stop: Callable[[], None] | None = None
        self._left = False
        self._at_rest = threading.Event()
        self._at_rest.set()

    def body(self) -> Iterable[Widget]:
        with VerticalScroll(id="reading"):
            yield Static(id="shown", markup=False)

    def show(self, shown: Text) -> None:
        """Show this in the body."""
        self.query_one("#shown", Static).update(shown)

    def width_within(self, widest: int, taken: int = 0) -> int:
        """Return the columns of the body, at most the widest, beside those that are taken."""
        return min(widest, max(24, self.size.width - 7 - taken))

    @property
    def quiet(self) -> str:
        """The style of what is less important."""
        return colours().quiet

    @property
    def is_busy(self) -> bool:
        """True while a model is at work."""
        return bool(self._doing)

    def look_up(self) -> InUse | None:
        """Return the real model in use; None where there is none, and `_lacking` says why."""
        try:
            return in_use()
        except StudyattnError as error:
            told = str(error).rstrip(".")
            self._lacking = f"{told[:1].upper()}{told[1:]}."
            return None

    async def choose_mistake(
        self, of: Breakable, title: str, note: str, then: Callable[[ModelMistake], Awaitable[None]]
    ) -> None:
        """Ask for a mistake that a model can make."""
        known = await self.database.run(partial(mistakes, self.services.home, of))

        async def chosen(name: str) -> None:
            await then(known[name])

        choices = {each.id: f"{each.id}: {each.title}" for each in known.values()}
        self.ask(PickScreen(title, choices, note), chosen)

    # Work that tells how far it is.

    def begin(
        self, doing: str, server: Runner, work: Callable[[], object], stop: Callable[[], None]
    ) -> None:
        """Begin some work in a thread; it tells what it has by `tell`, and `stop` ends it."""
        self._doing, self._stop = doing, stop
        self._at_rest.clear()

        def carry_out() -> None:
            try:
                with server, contextlib.suppress(StoppedError):
                    work()
            finally:
                self._at_rest.set()

        self.run_worker(carry_out, group=_WORK, thread=True, exit_on_error=False)
        self.redraw()

    def tell(self, hear: Callable[..., None], *given: object) -> None:
        """Have the screen hear something, from a thread."""
        self.post_message(self.Told(partial(hear, *given)))

    def on_lab_screen_told(self, told: Told) -> None:
        told.hear()
        self.redraw()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        worker = event.worker
        if worker.group == _WORK and worker.state in {WorkerState.SUCCESS, WorkerState.ERROR}:
            self._doing = ""
            if isinstance(worker.error, Exception) and not self._left:
                self.services.show_error(worker.error)
            self.at_end()
            self.redraw()

    def at_end(self) -> None:
        """Take in that the work has ended."""

    def redraw(self) -> None:
        if self.is_attached and not self._left:
            self.draw()
            self.refresh_hints()

    def end_softly(self) -> None:
        """Have the work end by itself where it can keep something. Called in a thread."""

    async def on_unmount(self) -> None:
        self._left = True
        await asyncio.to_thread(self._end_work)

    def _end_work(self) -> None:
        if not self._at_rest.is_set():
            self.end_softly()
        if self._stop is not None:
            self._stop()
        self._at_rest.wait(LONGEST_END)


class PanelScreen(LabScreen):
    """A screen with a panel beside its body where the terminal is wide."""

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = PANEL_BREAKPOINTS

    @property
    def is_wide(self) -> bool:
        """True where there is room for the panel."""
        return self.size.width >= ROOM

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            yield from super().body()
            yield SidePanel()


class AskingScreen(LabScreen):
    """A screen that asks the real model in use one question after another."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: RunningModel | None = None
        self._is_started = False
        self._one_at_a_time = threading.Lock()

    async def find_model(self, wanted: Callable[[], Awaitable[OwnParts]]) -> bool:
        """Find the model in use, made of the parts that `wanted` reads; False without one.

        The first question starts it.
        """
        model = self.look_up()
        if model is not None:
            home, parts = self.services.home, await wanted()
            self._asked = RunningModel(model.server(), home, model.folder, parts)
            self._stop = self._stop_running
        return model is not None

    async def answer(self, doing: str, question: Callable[[RunningModel], T]) -> T | None:
        """Return what `question` returns for the model; None if the screen is left meanwhile."""
        if self._asked is None:
            return None
        self._doing = doing
        self.draw()
        try:
            return await asyncio.to_thread(self._answer, self._asked, question)
        except StoppedError:
            return None
        finally:
            self._doing = ""
            self.redraw()

    def _answer(self, running: RunningModel, question: Callable[[RunningModel], T]) -> T:
        with self._one_at_a_time:
            try:
                if not self._is_started:
                    running.__enter__()
                self._is_started = True
                return question(running)
            except (GradingError, ModelPartError):
                running.__exit__()  # the next question starts another worker
                self._is_started = False
                raise

    def _stop_running(self) -> None:
        """End the worker, and wait until it has ended."""
        if self._asked is not None:
            self._asked.stop()
            with self._one_at_a_time:
                self._asked.__exit__()
                self._asked.stop()  # a worker that was on its way then
