"""Watch the parts of a model at work, and name the one that is too slow.

A part of the learner's may call another one without this program. So the file of the learner's
package that is at work when the time is over comes first.

One answer of a worker is watched at a time. While a part calls another one, the time counts for
that one.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from types import FrameType
from typing import Final

from studyattn.lm.llama import parts as llama
from studyattn.lm.parts import COMPOSED, DRILLS

MINE: Final = "mine/"
"""Begins the name of each file of the learner's package."""

_OWN: Final = "drill-"
_ENTRIES: Final = {
    f"{_OWN}{drill}": entry for entry, drill in {**llama.DRILLS, **DRILLS, **COMPOSED}.items()
}
"""The parts by the names of the learner's files."""

_at_work: list[str] = []
_spent: defaultdict[str, float] = defaultdict(float)
_since = 0.0


class TooSlowError(BaseException):
    """The answer takes too long, most of it in `part`. No exception that a part handles."""

    def __init__(self, part: str, seconds: float, line: str = "") -> None:
        super().__init__(part)
        self.part = part
        self.line = line
        self.message = f"it is too slow: no answer within {seconds:g} s"


def begin(part: str) -> None:
    """Note that a part begins to work."""
    _account()
    _at_work.append(part)


def end() -> None:
    """Note that the part that began last has returned or raised."""
    _account()
    _at_work.pop()


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block after `seconds`, if any part was at work.

    A call into a library is not interrupted: it is raised when that returns.
    """

    def over(_number: int, frame: FrameType | None) -> None:
        _account()
        if _spent:
            part, line = _own_part(frame)
            raise TooSlowError(part or max(_spent, key=_spent.__getitem__), seconds, line)

    _at_work.clear()
    _account()
    _spent.clear()
    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def _own_part(frame: FrameType | None) -> tuple[str, str]:
    """Return the part whose file is at work, and its line; nothing if none of the learner's is."""
    while frame is not None:
        part, line = part_of(frame.f_code.co_filename), frame.f_lineno
        if part:
            return part, f"line {line} of {frame.f_code.co_filename}"
        frame = frame.f_back
    return "", ""


def part_of(file: str) -> str:
    """Return the part in a file of the learner's package; nothing if it is another file."""
    if not file.startswith(MINE):
        return ""
    return _ENTRIES.get(file.removeprefix(MINE).removesuffix(".py").replace("_", "-"), "")


def _account() -> None:
    """Add the time since the last call to the part that was at work."""
    global _since  # noqa: PLW0603  # one clock for one worker
    now = time.perf_counter()
    if _at_work:
        _spent[_at_work[-1]] += now - _since
    _since = now
