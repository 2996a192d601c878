"""What all screens with a model share: its work in a worker, what it tells, and how that ends.

What computes is a process of its own (`study.practice.running`). It is asked in a thread; nothing
of it outlives the screen.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, Final, TypeVar

from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import StudyattnError
from studyattn.lm.process import StoppedError
from studyattn.study.practice.model_parts import Breakable, ModelMistake, OwnParts, mistakes
from studyattn.study.practice.running import InUse, RunningModel, SideBySide, in_use
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.side_panel import ROOM, SidePanel

T = TypeVar("T")

LONGEST_END: Final = 5.0
"""Seconds for which the end of a model's work is waited for when the screen closes."""


class LabScreen(ReadingScreen):
    """A screen on which a model works, one thing at a time; with a panel where it is `wide`."""

    def __init__(self) -> None:
        super().__init__()
        self._doing = ""  # empty when no model is at work
        self._lacking = ""  # why there is no real model
        self._stop: Callable[[], None] | None = None
        self._left = False
        self._at_rest = threading.Event()
        self._at_rest.set()

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with VerticalScroll(id="reading"):
                yield Static(id="page", markup=False)
            yield SidePanel()

    def width_within(self, widest: int, taken: int = 0) -> int:
        """Return the columns of the body, at most the widest, beside those that are taken."""
        return min(widest, max(24, self.size.width - 7 - taken))

    @property
    def is_wide(self) -> bool:
        """True where there is room for the panel."""
        return self.size.width >= ROOM

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

    # A model at work.

    async def work(self, doing: str, stop: Callable[[], None], work: Callable[[], T]) -> T | None:
        """Return what `work` returns in a thread; None if it was stopped.

        `stop` ends it, from any thread.
        """

        def carry_out() -> T | None:
            self._at_rest.clear()
            try:
                return work()
            except StoppedError:
                return None
            finally:
                self._at_rest.set()

        self._doing, self._stop = doing, stop
        self.redraw()
        try:
            return await asyncio.to_thread(carry_out)
        finally:
            self._doing = ""
            self.redraw()

    def begin(self, models: SideBySide, work: Callable[[], object]) -> None:
        """Have models begin to work; while they do, keys act."""

        def with_server() -> None:
            with models.server:
                work()

        async def carry_out() -> None:
            try:
                await self.work("starting …", models.stop, with_server)
            except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
                if not self._left:
                    self.services.show_error(error)
            self.at_end()
            self.redraw()

        self._doing = "starting …"
        self.run_worker(carry_out())

    def tell(self, doing: str, found: T) -> None:
        """Have the screen hear what models have come to, from a thread."""

        def heard() -> None:
            if self._doing == "starting …":
                self._doing = doing
            self.hear(found)
            self.redraw()

        self.call_later(heard)

    def hear(self, found: Any) -> None:
        """Take in what models have come to."""

    def at_end(self) -> None:
        """Take in that models have ended."""

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
        if self._stop is not None:
            self._stop()  # a worker that was on its way then


class AskingScreen(LabScreen):
    """A screen that asks the real model in use one question after another."""

    def __init__(self) -> None:
        super().__init__()
        self._asked: RunningModel | None = None

    async def find_model(self, wanted: Callable[[], Awaitable[OwnParts]]) -> bool:
        """Find the model in use, made of the parts that `wanted` reads; False without one.

        The first question starts it.
        """
        model = self.look_up()
        if model is not None:
            self._asked = RunningModel(model.server(), self.services.home, await wanted())
        return model is not None

    async def answer(self, doing: str, question: Callable[[RunningModel], T]) -> T | None:
        """Return what `question` returns for the model; None if the screen is left meanwhile."""
        model = self._asked
        if model is None:
            return None
        return await self.work(doing, model.stop, lambda: model.started(question))

    def _end_work(self) -> None:
        super()._end_work()
        if self._asked is not None:
            self._asked.__exit__()
