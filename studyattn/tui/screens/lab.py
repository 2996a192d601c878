"""The base of the screens with a model: its work in a worker, what it tells, and how that ends.

What computes is a process of its own (`study.practice.running`). Textual's thread workers ask it,
one at a time; nothing of it outlives the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from threading import Lock
from typing import Any, Final, TypeVar

from rich.text import Text
from textual.worker import Worker

from studyattn.lm.process import ModelServer, StoppedError
from studyattn.lm.records import Put
from studyattn.study.practice.model_parts import NO_PUTS, Breakable, ModelMistake, mistakes
from studyattn.text.lines import wrap
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.theme import colours

T = TypeVar("T")

_LONGEST_END: Final = 5.0
"""Seconds for which the end of a model's work is waited for when the screen closes."""


class LabScreen(ReadingScreen):
    """A screen on which a model works, one thing at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._server = ModelServer()  # one for all that works here: the first has it load torch
        self._doing = ""  # empty when no model is at work
        self._stop: Callable[[], None] = lambda: None  # ends what a model does, from any thread
        self._then: Callable[[Any], None] = lambda _: None  # takes in what it has come to
        self._worker: Worker[Any] | None = None
        self._turn = Lock()  # held while a model works

    @property
    def quiet(self) -> str:
        return colours().quiet

    def told(self, *parts: str | tuple[str, str]) -> Text:
        """Return a sentence on lines of the body."""
        return Text("\n").join(wrap(Text.assemble(*parts), self.width))

    @property
    def is_busy(self) -> bool:
        return bool(self._doing)

    # What the learner is asked, while no model is at work.

    def ask_line(
        self,
        title: str,
        given: str,
        then: Callable[[str], Awaitable[None]],
        note: str = "",
        **ways: str,
    ) -> None:
        """Ask for a line; `ways` are the words for the two ways out."""

        async def taken(written: Written) -> None:
            await then(written["line"])

        if not self.is_busy:
            field = Field("line", "", given)
            self.ask(EditorScreen(title, field, explanation=note, **ways), taken)

    async def choose_mistake(
        self,
        of: Breakable,
        title: str,
        note: str,
        then: Callable[[ModelMistake], Awaitable[None]],
        puts: Mapping[str, Put] = NO_PUTS,
    ) -> None:
        """Ask for a mistake that a model can make, with what is put into it."""
        if self.is_busy:
            return
        known = await self.database.run(mistakes, self.services.home, of, puts)

        async def chosen(name: str) -> None:
            await then(known[name])

        choices = {each.id: f"{each.id}: {each.title}" for each in known.values()}
        self.ask(PickScreen(title, choices, note), chosen)

    # A model at work.

    def begin(
        self,
        doing: str,
        stop: Callable[[], None],
        work: Callable[[], T],
        then: Callable[[T], None],
        group: str = "model",
    ) -> None:
        """Have a model work in a thread; keys act meanwhile, and `then` gets what `work` returns.

        `stop` ends it, from any thread. Tests wait for what is in the group `BESIDE`.
        """

        def in_turn() -> T:
            with self._turn:
                return work()

        self._doing, self._stop, self._then = doing, stop, then
        self._worker = self.run_worker(in_turn, group=group, exit_on_error=False, thread=True)
        self.redraw()

    def tell(self, found: object) -> None:
        """Have the screen hear how far models are, from their thread."""

        def heard() -> None:
            self._then(found)
            self.redraw()

        self.call_later(heard)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        worker = event.worker
        if not worker.is_finished or worker is not self._worker:
            return
        self._doing = ""
        if worker.error is None:
            self._then(worker.result)
        elif not worker.is_cancelled and not isinstance(worker.error, StoppedError):
            self.services.show_error(worker.error)
        self.at_end()
        self.redraw()

    def at_end(self) -> None:
        """Take in that a model's work has ended, or failed."""

    async def on_unmount(self) -> None:
        # Nothing more begins. A thread goes on when its worker is cancelled, and here it has ended.
        self.workers.cancel_node(self)
        await asyncio.to_thread(self.end)

    def end(self) -> None:
        """End the work, from a thread, and wait for that for some seconds at most."""
        for _ in range(2):  # a worker may have been on its way
            self._stop()
            self.rest()

    def rest(self) -> None:
        """Wait until no model is at work, for some seconds at most."""
        if self._turn.acquire(timeout=_LONGEST_END):
            self._turn.release()
