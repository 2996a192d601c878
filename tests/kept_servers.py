"""Fork servers kept from one test to the next: to import torch takes longer than most tests.

A runner that is done gives its server back instead of ending it, and the next runner that wants one
of the same kind takes it. No two runners have one at the same time, and every attempt has a worker
of its own, as ever. A server with a worker that still runs is ended, and the worker with it.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Hashable
from pathlib import Path
from typing import Final

from studyattn.grading.run import runner
from studyattn.grading.submission import Backend

MOST: Final = 6
"""Idle servers of a process of the test run; one with torch has 200 MiB."""

PATIENCE: Final = 0.2
"""Seconds in which supervisors that have reported end."""

OwnServer: Final = runner._Server


class KeptServers:
    """The idle servers of this process, by what they were started for; the oldest first."""

    def __init__(self) -> None:
        self._idle: list[tuple[Hashable, _KeptServer]] = []
        self._lock = threading.Lock()

    def take(self, backend: Backend, device: str, options: dict[str, object]) -> runner._Server:
        """Return an idle server that lives, or a new one."""
        kind = (backend, device, repr(options), repr(runner._environment()), sys.executable)
        with self._lock:
            for known, server in self._idle:
                if known == kind and server.lives:
                    self._idle.remove((known, server))
                    return server
        return _KeptServer(self, kind, backend, device, options)

    def give_back(self, kind: Hashable, server: _KeptServer) -> None:
        """Keep a server that has nothing to do, and end the oldest of too many."""
        with self._lock:
            self._idle.append((kind, server))
            old = [self._idle.pop(0) for _ in self._idle[MOST:]]
        for _, each in old:
            each.end()

    def end(self) -> None:
        """End all of them."""
        while self._idle:
            self._idle.pop()[1].end()


class _KeptServer(runner._Server):
    """A server that goes back when its runner closes it."""

    def __init__(
        self,
        kept: KeptServers,
        kind: Hashable,
        backend: Backend,
        device: str,
        options: dict[str, object],
    ) -> None:
        super().__init__(backend, device, options)
        self._kept, self._kind = kept, kind
        self._failed = False

    def wait(self) -> None:
        self._failed = True
        super().wait()
        self._failed = False

    @property
    def lives(self) -> bool:
        """True while its process runs."""
        return self._process.poll() is None

    def close(self) -> None:
        if not self._failed and self._is_idle():  # one that still starts is as good
            self._kept.give_back(self._kind, self)
        else:
            self.end()

    def end(self) -> None:
        """End the process."""
        super().close()

    def _is_idle(self) -> bool:
        """True when all its workers have ended, those on their way to it included."""
        number = self._process.pid
        children = Path(f"/proc/{number}/task/{number}/children")
        until = time.monotonic() + PATIENCE
        while self.lives and children.exists():
            if not children.read_text():
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.001)
        return False
