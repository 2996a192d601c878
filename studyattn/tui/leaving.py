"""Leaving the app: for a while as a shell's job (^z), or for good because it is told to end.

Textual stops its own process alone, which hangs a terminal where another program started the app
and waits for it (`uv run`, a script). So the whole job is stopped, as an editor does it.

SIGTERM (`kill`, a shutdown) and SIGHUP (the terminal was closed) quit the app as the learner does:
what is written is saved, workers end, and the terminal gets its screen and its mouse back.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

_SECONDS_TO_QUIT = 10
"""After these the process ends anyway. Answers are on disk, and a change is made whole or not."""

_BY_SIGNAL = 128  # shells report a process that a signal ended with this and its number


def has_shell() -> bool:
    """Return whether something in this terminal can bring a stopped job back.

    The process that started the app is of the same session then; a terminal's window that runs the
    app alone, and a server that has it behind a browser, are not.
    """
    try:
        return os.getsid(os.getppid()) == os.getsid(0)
    except OSError:  # the parent is gone, or another user's
        return False


def stop_job() -> None:
    """Stop all processes of the job in which the app runs, until the shell continues them."""
    os.killpg(0, signal.SIGTSTP)


def quit_when_told(leave: Callable[[int], None]) -> None:
    """Have SIGTERM and SIGHUP call `leave` with an exit status. Called in the running loop."""
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        signal.alarm(_SECONDS_TO_QUIT)
        leave(_BY_SIGNAL + number)

    def hang_up() -> None:
        try:
            os.tcgetpgrp(0)
        except OSError:  # nobody reads or types there any more, and writing to it would fail
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            os.close(nowhere)
        end(signal.SIGHUP)

    loop.add_signal_handler(signal.SIGTERM, end, signal.SIGTERM)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
