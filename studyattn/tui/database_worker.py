"""The one thread in which the learner's database is open, so that drawing never waits for it.

Everything that a screen asks of `study` and `exchange` goes through `run_with_profile` or `run`:
in order, one call at a time. The heavy imports (SQLAlchemy, Alembic, the packs' reader) happen in
this thread too, after the first frame has been drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from studyattn.errors import StoreError
from studyattn.home import Home
from studyattn.memory.days import ROLLOVER_HOUR

if TYPE_CHECKING:
    from studyattn.store.driver import Driver
    from studyattn.study.clock import Clock
    from studyattn.study.profile import Profile

T = TypeVar("T")
P = ParamSpec("P")


class DatabaseWorker:
    """Opens the learner's home in a thread of its own, runs work there, and closes it."""

    def __init__(self, home: Home, clock: Clock) -> None:
        self._home = home
        self._clock = clock
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="database")
        self._profile: Profile | None = None
        self._watcher: Driver | None = None  # a connection that sees what others commit
        self._version: object = None  # of the file, when work here ended last

    async def open(self) -> None:
        """Open the home. Raises what opening it raises (`StoreError`, `PackError`)."""
        await self.run(self._open)

    async def run_with_profile(
        self, work: Callable[Concatenate[Profile, P], T], *given: P.args, **named: P.kwargs
    ) -> T:
        """Return what `work` returns for the open profile and what is given; raise what it raises.

        Opens the home first where it is closed.
        """
        return await self.run(lambda: work(self._open(), *given, **named))

    async def is_changed_outside(self) -> bool:
        """Return whether another process has written to the home since work here ended last."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._is_changed)

    async def run(self, work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Return what `work` returns: reading a file, or work on a session that is open already.

        Settings that another process changed hold from here on, in the middle of a session too.
        """

        def up_to_date() -> T:
            # Nothing says whether anybody else wrote to a server.
            if self._profile is not None and (self._watcher is None or self._is_changed()):
                with suppress(StoreError):  # a draft is kept without it; other work raises
                    self._profile.reload()
            return work(*given, **named)

        return await self._run(up_to_date)

    async def _run(self, work: Callable[[], T]) -> T:
        def remembered() -> T:
            try:
                return work()
            finally:
                self._version = self._read_version()

        return await asyncio.get_running_loop().run_in_executor(self._thread, remembered)

    async def run_closed(self, work: Callable[[], T]) -> T:
        """Close the home, then return what `work` returns; the next use of the home reopens it."""

        def closed() -> T:
            self._close()
            return work()

        return await self._run(closed)

    async def close(self) -> None:
        """Wait for what is being written, then close the home and end the thread."""
        await self._run(self._close)
        self._thread.shutdown(wait=False)

    @property
    def rollover_hour(self) -> int:
        """The hour at which the learner's day begins; the usual one until the home is open."""
        profile = self._profile
        return ROLLOVER_HOUR if profile is None else profile.settings.scheduling.rollover_hour

    @property
    def is_open(self) -> bool:
        """True while the home is open."""
        return self._profile is not None

    def _open(self) -> Profile:
        if self._profile is None:
            # Late: the first frame does without it.
            from studyattn.study.profile import open_profile

            self._context = open_profile(self._home, self._clock)
            self._profile = self._context.__enter__()
            if self._profile.home.server is None:
                self._watcher = self._profile.database.hold()
                self._version = self._read_version()
        return self._profile

    def _is_changed(self) -> bool:
        return self._read_version() != self._version

    def _read_version(self) -> object:
        """Return a number that another one replaces when anybody else commits; None if closed."""
        if self._watcher is None:
            return None
        with suppress(*self._watcher.failures):  # whoever works with the file is told of them
            return self._watcher.one("PRAGMA data_version")
        return self._version

    def _close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = self._version = None
        if self._profile is not None:
            self._context.__exit__(None, None, None)
            self._profile = None
