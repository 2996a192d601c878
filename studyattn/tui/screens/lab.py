"""The base of all screens with a model: its work in a worker, what it tells, and how that ends.

What computes is a process of its own (`study.practice.running`). It is asked in a thread; nothing
of it outlives the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, ClassVar, Final, TypeVar

from rich.text import Text
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import StudyattnError
from studyattn.lm.process import StoppedError
from studyattn.lm.records import Put
from studyattn.study.practice.model_parts import (
    NO_PUTS,
    Breakable,
    ModelMistake,
    OwnParts,
    mistakes,
)
from studyattn.study.practice.running import InUse, RunningModel, SideBySide, in_use
from studyattn.text.lines import wrap
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.dialogs.editor import EditorScreen, Field, Written
from studyattn.tui.screens.base import ReadingScreen
from studyattn.tui.theme import colours
from studyattn.tui.widgets.header_footer import ROOM, SidePanel

T = TypeVar("T")

_LONGEST_END: Final = 5.0
"""Seconds for which the end of a model's work is waited for when the screen closes."""

_STARTING: Final = "starting …"


class LabScreen(ReadingScreen):
    """A screen on which a model works, one thing at a time; with a panel where it has room."""

    WIDEST: ClassVar[int] = 120  # columns of what is drawn, at most
    PANEL: ClassVar[int] = 0  # columns of the panel where there is room for it; 0 without one

    def __init__(self) -> None:
        super().__init__()
        self._doing = ""  # empty when no model is at work
        self._lacking = ""  # why there is no real model
        self._asked: RunningModel | None = None  # the real model, asked one question after another
        self._stop: Callable[[], None] = lambda: None
        self._thread: asyncio.Future[Any] | None = None  # in which a model is asked
        self._left = False

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with VerticalScroll(id="reading"):
                yield Static(id="page", markup=False)
            yield SidePanel()

    @property
    def width(self) -> int:
        taken = self.PANEL if self.is_wide else 0
        return min(self.WIDEST, max(24, self.size.width - 7 - taken))

    @property
    def is_wide(self) -> bool:
        """True where there is room for the panel."""
        return self.size.width >= ROOM

    @property
    def quiet(self) -> str:
        return colours().quiet

    def told(self, *parts: str | tuple[str, str]) -> Text:
        """Return a sentence on lines of the body."""
        return Text("\n").join(wrap(Text.assemble(*parts), self.width))

    @property
    def is_busy(self) -> bool:
        return bool(self._doing)

    def look_up(self) -> InUse | None:
        """Return the real model in use; None where there is none, and `_lacking` says why."""
        try:
            return in_use()
        except StudyattnError as error:
            told = str(error).rstrip(".")
            self._lacking = f"{told[:1].upper()}{told[1:]}."
            return None

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

    async def work(self, doing: str, stop: Callable[[], None], work: Callable[[], T]) -> T | None:
        """Return what `work` returns in a thread; None if it was stopped.

        `stop` ends it, from any thread.
        """
        self._doing, self._stop = doing, stop
        self.redraw()
        self._thread = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(self._thread)
        except StoppedError:
            return None
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
                await self.work(_STARTING, models.stop, with_server)
            except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
                if not self._left:
                    self.services.show_error(error)
            self.at_end()
            self.redraw()

        self._doing = _STARTING
        self.run_worker(carry_out())

    def tell(self, doing: str, found: T) -> None:
        """Have the screen hear what models have come to, from a thread."""

        def heard() -> None:
            if self._doing == _STARTING:
                self._doing = doing
            self.hear(found)
            self.redraw()

        self.call_later(heard)

    def hear(self, found: Any) -> None:
        """Take in what models have come to."""

    def at_end(self) -> None:
        """Take in that models have ended."""

    def redraw(self, notice: str | None = None) -> None:
        if not self._left:
            super().redraw(notice)

    async def end_softly(self) -> None:
        """Have the work end by itself where it can keep something."""

    async def on_unmount(self) -> None:
        self._left = True
        if self.is_busy:
            await self.end_softly()
        for _ in range(2):  # a worker may have been on its way
            await asyncio.to_thread(self._stop)
            await self.rest()
        if self._asked is not None:
            await asyncio.to_thread(self._asked.__exit__)

    async def rest(self) -> None:
        """Wait until no model is at work, for some seconds at most."""
        if self._thread is not None:
            with suppress(Exception):  # it was told where it was waited for first
                async with asyncio.timeout(_LONGEST_END):
                    await asyncio.shield(self._thread)

    # A real model that is asked.

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
