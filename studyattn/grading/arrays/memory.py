"""The bytes that a program holds, whatever holds them.

Python says how much its own objects take, and numpy reports its arrays to it; torch's storages are
counted by the lives of their owners, and files by their sizes. So nobody looks for numbers where
they may be: an attribute, a list, a closure, a text or a view of a larger array takes its bytes.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import tempfile
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

from studyattn.grading.sandbox import scratch

# Python keeps names that were looked up on a type, up to a quarter of a megabyte.
_clear_caches = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache  # noqa: SLF001  # there is no public way

TICKS = 100
"""Arrays that are made between two times that these names are let go."""


class _Owner(weakref.ref[Any]):
    """An object that Python does not know the size of. A closure for each would take memory too."""

    __slots__ = ("place", "size")
    place: int  # the identity that it had
    size: int


class Memory:
    """Bytes that were allocated since `watched` was entered and are still there.

    Unless it is entered, nothing is counted.
    """

    def __init__(self) -> None:
        self.most = 0
        """The most bytes that a measured call held at a time, beside what was there before."""
        self._stored = self._peak = self._in_files = self._ticks = 0
        self._owners: dict[int, _Owner] = {}

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Watch all that is done inside."""
        self._in_files = scratch.taken(tempfile.gettempdir())
        tracemalloc.start()
        try:
            yield
        finally:
            tracemalloc.stop()

    @contextlib.contextmanager
    def measured(self) -> Iterator[None]:
        """Look for the most that is held at a time inside."""
        before = tracemalloc.get_traced_memory()[0] + self._stored
        tracemalloc.reset_peak()
        self._peak = 0
        try:
            yield
        finally:
            self._look()
            self.most = max(self.most, self._peak - before)

    def held(self) -> int:
        """Return the bytes that are there now, garbage and what was there before left out."""
        gc.collect()
        _clear_caches()
        in_files = scratch.taken(tempfile.gettempdir()) - self._in_files
        return tracemalloc.get_traced_memory()[0] + self._stored + in_files

    def store(self, owner: Any, size: int) -> None:
        """Count so many bytes, which Python does not know, as long as their owner lives."""
        known = self._owners.get(id(owner))
        if not tracemalloc.is_tracing() or (known is not None and known.size >= size):
            return
        self._look()
        self._stored += size - (known.size if known else 0)
        self._owners[id(owner)] = known = known or _Owner(owner, self._gone)
        known.place, known.size = id(owner), size

    def _gone(self, owner: _Owner) -> None:
        self._look()
        self._stored -= self._owners.pop(owner.place).size

    def tick(self) -> None:
        """Keep Python's own memory small in a long call."""
        self._ticks += 1
        if self._ticks % TICKS == 0 and tracemalloc.is_tracing():
            _clear_caches()

    def _look(self) -> None:
        """Note what was held until now: after this, the storages change."""
        self._peak = max(self._peak, tracemalloc.get_traced_memory()[1] + self._stored)
        tracemalloc.reset_peak()
