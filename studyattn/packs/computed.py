"""Computed cards: fresh numbers for each review, answered by the reference code.

A pack's `computed.py`, or a module of its folder `computed/`, is code that the learner installed
with the pack and runs in this process; it uses numpy and `studyattn.attention`, never torch. The
numbers of a card are drawn from a generator seeded by its guid and its number of reviews, so that
a review that is shown again, after an undo or a restart, asks the same.
"""

from __future__ import annotations

import hashlib
import math
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from studyattn.errors import PackError
from studyattn.packs.answers import Expected, ExpectedNumbers, ExpectedText, Tolerance
from studyattn.packs.numbers import Number

if TYPE_CHECKING:
    from numpy.random import Generator

Answer = int | float | str | tuple[int | float, ...]

DRAWINGS: Final = 20
"""The most that are made, one after another, for numbers that tell a slip from the answer."""

_EXACT: Final = 4
"""Decimal places from which on a tolerance only allows for rounding: 0.64, not 0.640000."""


@dataclass(frozen=True, slots=True)
class Computed:
    """One drawing of a computed card. All texts but `shown` and `unit` are Markdown."""

    question: str
    answer: Answer
    """A number, several in order, or a text with alternatives separated by `|`."""
    tolerance: float = 0.0
    unit: str = ""
    explanation: str = ""
    shown: str = ""
    """How the answer is written; made from `answer` when empty."""
    slips: Mapping[str, float | tuple[int | float, ...]] = field(default_factory=dict)
    """Wrong numbers that a known slip gives, by what to say of it."""

    def expected(self) -> Expected:
        """Return what a typed answer is compared with. Raises ValueError for an infinite number."""
        if isinstance(self.answer, str):
            return ExpectedText(tuple(part.strip() for part in self.answer.split("|")))
        values = _row(self.answer)
        if not values or not all(math.isfinite(value) for value in values):
            raise ValueError(f"the answer {self.answer} is not finite")
        exact = tuple(_exact(value, self.tolerance) for value in values)
        tolerance = Tolerance(absolute=self.tolerance)
        shown = self.shown or self._shown(values)
        slips = tuple((said, _row(wrong)) for said, wrong in self.slips.items())
        return ExpectedNumbers(exact, shown, tolerance, self.unit, slips)

    def _shown(self, values: tuple[int | float, ...]) -> str:
        words = [_written(value, self.tolerance) for value in values]
        joined = f"({', '.join(words)})" if isinstance(self.answer, tuple) else words[0]
        return f"{joined} {self.unit}".strip()


def _row(answer: float | tuple[int | float, ...]) -> tuple[int | float, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def draw(folder: Path, function: str, guid: str, reviews: int) -> Computed:
    """The card as it is asked after `reviews` reviews.

    Numbers with which a known slip gives the right answer, too, are drawn again. Raises PackError
    when the pack has no such function, or when it fails; `where` is its line.
    """
    import numpy as np  # only computed cards need it

    made = function_of(folder, function)
    seed = int.from_bytes(hashlib.sha256(guid.encode()).digest()[:16])
    generator, file = np.random.default_rng([seed, reviews]), file_of(folder, function)
    for _ in range(DRAWINGS):
        card = call(made, generator, file)
        expected = card.expected()
        if not isinstance(expected, ExpectedNumbers) or not expected.slip(expected.values):
            break
    return card


def file_of(folder: Path, name: str) -> Path:
    """Return the file of a function: computed/masks.py for `masks.row`, else computed.py."""
    module, dot, _ = name.rpartition(".")
    return folder / "computed" / f"{module}.py" if dot else folder / "computed.py"


def files_of(folder: Path) -> list[Path]:
    """All files of a pack that may hold functions of computed cards."""
    return [*folder.glob("computed.py"), *sorted(folder.glob("computed/*.py"))]


def function_of(folder: Path, name: str) -> Callable[[Generator], Computed]:
    """The function that a card names. Raises PackError when there is none."""
    file = file_of(folder, name)
    try:
        changed = file.stat().st_mtime_ns
    except OSError as error:
        raise PackError(f"there is no {file.relative_to(folder)}", where=str(folder)) from error
    bare = name.rpartition(".")[2]
    found = getattr(_load(file, changed), bare, None)
    if bare.startswith("_") or not callable(found):
        raise PackError(f"there is no function {bare!r}", where=str(file))
    made: Callable[[Generator], Computed] = found
    return made


def call(function: Callable[[Generator], Computed], generator: Generator, file: Path) -> Computed:
    """Return what the function draws. Raises PackError, with the line, for any failure."""
    try:
        made: object = function(generator)
        if not isinstance(made, Computed):
            line = getattr(getattr(function, "__code__", None), "co_firstlineno", 1)
            raise PackError(  # noqa: TRY301 - beside what else a function can do wrong
                f"it returns {made!r:.60}, not a Computed", where=f"{file}:{line}"
            )
        made.expected()
    except PackError:
        raise
    except Exception as error:  # the pack's code may raise anything
        raise _told(error, file) from error
    return made


@lru_cache(maxsize=16)
def _load(file: Path, changed: int) -> ModuleType:
    """The module in `file`, loaded again when the file changed. Writes no byte code."""
    name = f"studyattn_pack_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}_{changed}"
    module = ModuleType(name)
    module.__file__ = str(file)
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)  # noqa: S102  # a pack's code is trusted as a program is
    except Exception as error:  # the pack's code may raise anything
        raise _told(error, file) from error
    return module


def _told(error: Exception, file: Path) -> PackError:
    if isinstance(error, SyntaxError):
        return PackError(f"syntax error: {error.msg}", where=f"{file}:{error.lineno}")
    frames = traceback.extract_tb(error.__traceback__)
    line = next((each.lineno for each in reversed(frames) if each.filename == str(file)), None)
    where = f"{file}:{line}" if line else str(file)
    return PackError(f"{type(error).__name__}: {error}", where=where)


def _exact(value: float, tolerance: float) -> Number:
    """Counts compare digit by digit; what was rounded compares as a float."""
    whole = tolerance == 0 and float(value).is_integer()
    return Fraction(int(value)) if whole else float(value)


def _written(value: float, tolerance: float) -> str:
    """Write a number with as many digits as the tolerance asks for."""
    if float(value).is_integer() and tolerance == 0:
        return f"{int(value):,}" if abs(value) >= 10_000 else str(int(value))
    if tolerance == 0:
        return f"{value:.10g}"
    digits = max(0, math.ceil(-math.log10(2 * tolerance)))
    midway = math.isclose(abs(value) * 10**digits % 1, 0.5, abs_tol=1e-9)  # 0.125 stays as it is
    written = f"{value:.{digits + midway}f}"
    return written if digits < _EXACT else written.rstrip("0").rstrip(".")
