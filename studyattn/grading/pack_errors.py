"""Name the file and line of a pack whose drill cannot be loaded or asked.

A drill is code of its pack: what it raises is for the pack's author to mend, never a bug of the
grader. Each declaration remembers its own place, and an exception is placed by its traceback.
"""

from __future__ import annotations

import contextlib
import inspect
import traceback
from collections.abc import Iterator
from pathlib import Path

from studyattn.errors import DrillError, StudyattnError


def declared_at() -> str:
    """Return the `file:line` that makes the dataclass whose `__post_init__` calls this."""
    frame = inspect.currentframe()
    for _ in range(3):  # this function, `__post_init__`, and the `__init__` that dataclasses write
        frame = None if frame is None else frame.f_back
    return "" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"


@contextlib.contextmanager
def naming_the_pack(place: str, what: str, *, own: bool = False) -> Iterator[None]:
    """Raise DrillError in the place of whatever else is raised in the block.

    It says `what` failed and why. Its `where` is the innermost line of the pack, which is the pack
    of the declaration at `place`, or `place` itself where no line of the pack was involved. With
    `own`, such an exception passes unchanged: it is not the pack's.
    """
    try:
        yield
    except StudyattnError:
        raise
    except (Exception, SystemExit) as error:
        where = _line_in(_pack_of(place), error)
        if where is None and own:
            raise
        reason = f"{type(error).__name__}: {error}"
        raise DrillError(f"{what}: {reason}", where=where or place) from error


def _pack_of(place: str) -> Path:
    """Return the folder of the pack to which the file of `place` belongs."""
    file = Path(place.rpartition(":")[0])
    return file.parents[2] if file.name == "checks.py" and len(file.parents) > 2 else file.parent


def _line_in(folder: Path, error: BaseException) -> str | None:
    """Return the innermost `file:line` below `folder` that `error` speaks of or passed through."""
    if isinstance(error, SyntaxError) and error.filename and folder in Path(error.filename).parents:
        return f"{error.filename}:{error.lineno or 1}"
    for entry in reversed(traceback.extract_tb(error.__traceback__)):
        if folder in Path(entry.filename).parents:
            return f"{entry.filename}:{entry.lineno or 1}"
    return None
