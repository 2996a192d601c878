"""Today's numbers, read by another process while this one loads the app's libraries.

Loading them is most of a start and keeps one core busy. The other process is forked before it,
reads the numbers as `study.profile.glance` shows them, sends them here, and ends.
"""

from __future__ import annotations

import os
import pickle  # what this program's own process sends
import select
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from studyattn.home import Home
    from studyattn.study.statistics.day import Today


class Ahead:
    """The process that reads a home's numbers. Make it while there is no second thread."""

    def __init__(self, home: Home) -> None:
        """Start the process. Raises OSError where the system allows no other one."""
        reading, writing = os.pipe()
        self._answer = os.fdopen(reading, "rb")
        try:
            self._process = os.fork()
        except OSError:
            self._answer.close()
            os.close(writing)
            raise
        if self._process == 0:
            _send_numbers(home, writing)
        os.close(writing)

    def is_there(self) -> bool:
        """Return whether `take` returns without waiting."""
        return bool(select.select([self._answer], [], [], 0)[0])

    def take(self) -> Today | None:
        """Return the numbers; None if they could not be read. Waits for them; to be called once."""
        with self._answer:
            sent = self._answer.read()
        os.waitpid(self._process, 0)
        try:
            numbers: Today = pickle.loads(sent)  # noqa: S301 - the same program sent it
        except (EOFError, pickle.UnpicklingError):  # it ended before it had sent them
            return None
        return numbers


def read_ahead(home: Home) -> Ahead | None:
    """Begin to read the numbers of a home; None where that cannot be done."""
    if home.server is not None:
        return None
    try:
        return Ahead(home)
    except OSError:
        return None


def _send_numbers(home: Home, writing: int) -> NoReturn:
    """Read the numbers, send them, and end this process whatever happens."""
    try:
        # Late: the process that loads the app does without them.
        from studyattn.study.clock import SystemClock
        from studyattn.study.profile import glance
        from studyattn.study.statistics.today import numbers

        with os.fdopen(writing, "wb") as answer, glance(home, SystemClock()) as reader:
            if reader is not None:
                pickle.dump(numbers(reader), answer)
    finally:
        os._exit(0)  # no exception may leave: it would be this process's second way through the app
