"""Call the parts of a model, check what they return, and name the one that fails or is too slow.

A part of the learner's may call another one without this program. So the file of the learner's
package that is at work when the time is over comes first. One answer of a worker is watched at a
time. While a part calls another one, the time counts for that one.
"""

from __future__ import annotations

import contextlib
import signal
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from studyattn.lm.parts import FIRST, GPT, LLAMA

if TYPE_CHECKING:
    from torch import Tensor

Part = Callable[..., Any]
Parts = Mapping[str, Part]

MINE: Final = "mine/"
"""Begins the name of each file of the learner's package."""

_ENTRIES: Final = {
    f"drill-{drill}": entry
    for kind in (FIRST, LLAMA, GPT)
    for entry, drill in kind.all_drills.items()
}
"""The parts by the names of the learner's files."""

_NO_MEMORY: Final = "DefaultCPUAllocator"
"""The allocator that torch names in its RuntimeError where there is no memory left."""

_LIKE: Final[Mapping[str, Callable[..., Tensor]]] = {
    "embed": lambda tokens, table, *_: table.new_empty((*tokens.shape, table.shape[-1])),
    "next_token_loss": lambda logits, _: logits.new_empty(()),
}
"""The shape and type of what a part returns, where they are not those of its first argument."""

_at_work: list[str] = []
_spent: defaultdict[str, float] = defaultdict(float)
_since = 0.0


class PartError(Exception):
    """A part that raises, or returns what cannot be used."""

    def __init__(self, part: str, message: str, line: str = "") -> None:
        super().__init__(message)
        self.part = part
        self.message = message
        self.line = line


class RefusedError(Exception):
    """A question that the model cannot answer: why, and what helps."""


class TooSlowError(BaseException):
    """The answer takes too long, most of it in `part`. No exception that a part handles."""

    def __init__(self, part: str, seconds: float, line: str) -> None:
        super().__init__(part)
        self.part = part
        self.line = line
        self.message = f"it is too slow: no answer within {seconds:g} s"


def calling(name: str, part: Part, *given: object) -> Any:
    """Call a part. Raises PartError in the place of what it raises, with the learner's line."""
    _account()
    _at_work.append(name)
    try:
        return part(*given)
    except (PartError, TooSlowError):
        raise
    except BaseException as error:
        passed = traceback.extract_tb(error.__traceback__)
        own = [at for at in passed if at.filename.startswith(MINE)]
        line = f"line {own[-1].lineno} of {own[-1].filename}" if own else ""
        told = f"{type(error).__name__}: {error}"[:500]
        if isinstance(error, MemoryError) or _NO_MEMORY in str(error):
            told = "it needs more memory than the worker of a model has"
        raise PartError(name, told, line) from error
    finally:
        _account()
        _at_work.pop()


def used(name: str, part: Part, *given: Any) -> Tensor:
    """Call a part that returns a tensor. Raises PartError for one of another shape or type."""
    like = _LIKE[name](*given) if name in _LIKE else given[0]
    return checked(name, calling(name, part, *given), like)


def checked(name: str, result: object, like: Tensor) -> Tensor:
    """Return a part's result. Raises PartError unless it has the shape and type of `like`."""
    if not isinstance(result, type(like)):
        raise PartError(name, f"it returned {type(result).__name__}, not a tensor")
    if result.shape != like.shape or result.dtype != like.dtype:
        raise PartError(
            name,
            f"it returned {result.dtype} of shape {tuple(result.shape)}; expected"
            f" {like.dtype} of shape {tuple(like.shape)}",
        )
    return result


def chosen_by(part: Part, logits: Any, uniform: float, temperature: float) -> int:
    """Have a part choose one of the `logits`, by its number; at temperature 0, the largest.

    Raises PartError.
    """
    if temperature == 0:
        return int(logits.argmax())
    chosen = calling("sample", part, logits, uniform, temperature)
    if isinstance(chosen, bool) or not isinstance(chosen, int | np.integer):
        raise PartError("sample", f"it returned {type(chosen).__name__}, not an int")
    if not 0 <= chosen < len(logits):
        raise PartError("sample", f"it returned {chosen}, but there are {len(logits)} logits")
    return int(chosen)


# ── time ─────────────────────────────────────────────────────────────────────────────────────────


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
        file = frame.f_code.co_filename
        if file.startswith(MINE):
            name = file.removeprefix(MINE).removesuffix(".py").replace("_", "-")
            if name in _ENTRIES:
                return _ENTRIES[name], f"line {frame.f_lineno} of {file}"
        frame = frame.f_back
    return "", ""


def _account() -> None:
    """Add the time since the last call to the part that was at work."""
    global _since  # noqa: PLW0603  # one clock for one worker
    now = time.perf_counter()
    if _at_work:
        _spent[_at_work[-1]] += now - _since
    _since = now
