"""Ending a worker with everything that it started, also what left its session.

A PID namespace does that by itself. Without one the supervisor is a subreaper: whatever loses its
parent becomes the supervisor's child, so killing and reaping until no child is left ends the tree.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

from studyattn.grading.sandbox import linux


def become_subreaper() -> bool:
    """Adopt every orphan among this process's descendants. False where the system cannot."""
    try:
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    except OSError:
        return False
    return True


def die_with_parent() -> None:
    """Be killed when the parent ends, where the system can arrange it."""
    with contextlib.suppress(OSError):
        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


def end(worker: int, *, reaped: bool) -> None:
    """Kill `worker`, its process group and all descendants, and wait until they are gone.

    Each round stops before it kills: a stopped process cannot fork while its siblings are killed.
    A worker that was `reaped` already is not signalled, for its number may be another's by now.
    """
    with contextlib.suppress(OSError):
        os.killpg(worker, signal.SIGKILL)
    if not reaped:
        os.kill(worker, signal.SIGKILL)
    while _children_left():
        remaining = descendants(os.getpid())
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in remaining:
                with contextlib.suppress(OSError):
                    os.kill(process, number)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, 0)


def _children_left() -> bool:
    """Reap what has ended; whether anything has not."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def descendants(process: int) -> tuple[int, ...]:
    """Process ids below `process`, from /proc; empty where there is none."""
    if sys.platform != "linux":
        return ()
    children = _children_of_all()
    found: list[int] = []
    waiting = [process]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return tuple(found)


def _children_of_all() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            # The name in parentheses may hold anything, so the fields are counted after it.
            fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        children.setdefault(int(fields[1]), []).append(int(entry.name))
    return children
