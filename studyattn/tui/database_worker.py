"""The one thread in which the learner's database lives, so that drawing never waits for it.

Everything that `study` does goes through `DatabaseWorker.ask`: in order, one at a time. The heavy
imports
(SQLAlchemy, Alembic, the packs' reader) happen here too, after the first frame is on the screen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from studyattn.home import Home

if TYPE_CHECKING:
    from studyattn.study.clock import Clock
    from studyattn.study.profile import Profile

T = TypeVar("T")


class DatabaseWorker:
    """Opens the learner's home in its own thread, answers questions there, and closes it."""

    def __init__(self, home: Home, clock: Clock) -> None:
        self._home = home
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        self._profile: Profile | None = None

    async def open(self) -> None:
        """Open the home. Raises what opening it raises (`StoreError`, `PackError`)."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._open)

    async def ask(self, question: Callable[[Profile], T]) -> T:
        """What `question` says of the open home; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, lambda: question(self._profile or self._open())
        )

    async def do(self, work: Callable[[], T]) -> T:
        """Work that needs no home (reading a file), in the same thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def do_closed(self, work: Callable[[], T]) -> T:
        """Work that needs the home closed; the next question opens it again."""

        def closed() -> T:
            self._close()
            return work()

        return await self.do(closed)

    async def close(self) -> None:
        """Wait for what is being written, then close the home."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown(wait=False)

    @property
    def is_open(self) -> bool:
        """Whether the home is open."""
        return self._profile is not None

    def _open(self) -> Profile:
        if self._profile is not None:
            return self._profile
        from studyattn.study.profile import open_profile

        self._context = open_profile(self._home, self._clock)
        self._profile = self._context.__enter__()
        return self._profile

    def _close(self) -> None:
        if self._profile is not None:
            self._context.__exit__(None, None, None)
            self._profile = None
