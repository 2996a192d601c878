"""The process between the fork server and a worker: it makes the worker and sees to its end.

One warden an attempt. It makes the namespaces, forks once more, and waits for one of two things:
that the worker ends, or that the judge wants it ended (a byte on the status socket, or its end).
Then it ends whatever the worker left behind and reports on the status socket, which the worker
never holds. Foreign code runs in the worker alone.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

import msgspec

from studyattn.grading.limits import ResourceLimits
from studyattn.grading.sandbox import Plan, namespaces, tree

FAILED_TO_START = 111  # exit status of a worker around which the walls could not be put up


@dataclass(frozen=True, slots=True)
class Ending:
    """How a worker ended. `exit_code` is negative for a signal, None when the warden ended it."""

    exit_code: int | None
    cpu_seconds: float

    def to_json(self) -> bytes:
        return msgspec.json.encode(self) + b"\n"

    @classmethod
    def from_json(cls, text: bytes) -> Ending:
        """Return the ending that `to_json` wrote. ValueError when `text` is none."""
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """What an attempt is given: its limits, its scratch folder and its descriptors."""

    limits: ResourceLimits
    scratch: str
    wire: int
    output: int
    status: int


def watch(
    plan: Plan, work: Callable[[Plan, WorkerSpec], NoReturn], posting: WorkerSpec
) -> NoReturn:
    """Fork a worker that does `work`, watch it to its end, report, and exit. Never returns."""
    try:
        os.setsid()
        if plan.subreaper:
            tree.become_subreaper()
        children = _watch_children()
        namespaces.enter(plan.namespaces)
        tree.die_with_parent()
        worker = os.fork()
        if worker == 0:
            os.close(posting.status)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            work(plan, posting)
        os.close(posting.wire)
        os.close(posting.output)
        status = socket.socket(fileno=posting.status)
        ending = _wait(worker, children, status)
        with contextlib.suppress(OSError):
            status.sendall(ending.to_json())
    finally:
        os._exit(0)


def _watch_children() -> int:
    """A descriptor that becomes readable when a child ends."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _wait(worker: int, children: int, status: socket.socket) -> Ending:
    while True:
        ready, _, _ = select.select([status.fileno(), children], [], [])
        if children in ready:
            os.read(children, 4096)
            process, code, usage = os.wait4(worker, os.WNOHANG)
            if process:
                tree.end(worker, reaped=True)
                return Ending(os.waitstatus_to_exitcode(code), usage.ru_utime + usage.ru_stime)
        if status.fileno() in ready:
            tree.end(worker, reaped=False)
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return Ending(None, usage.ru_utime + usage.ru_stime)
