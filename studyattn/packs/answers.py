"""Compares what a learner typed with what a card expects, and marks the difference.

Pure: text in, `AnswerComparison` out. A wrong comparison is evidence, not a verdict; the learner
rates.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from studyattn.packs.numbers import Number, read_number, read_numbers

__all__ = [
    "AnswerComparison",
    "AnswerPart",
    "Expected",
    "ExpectedNumbers",
    "ExpectedText",
    "Tolerance",
    "compare",
    "expected_number",
    "read_number",
    "read_tolerance",
]

_ROUNDING: Final = 1e-9
"""How far two ways to compute the same float may lie apart, relatively."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The allowed error of a number: the larger of the two."""

    absolute: float = 0.0
    relative: float = 0.0

    def allows(self, expected: Number, given: Number) -> bool:
        """Return whether `given` is near enough: equal, where there is not a tolerance."""
        if expected == given:
            return True
        allowed = max(self.absolute, self.relative * abs(float(expected)))
        inexact = isinstance(expected, float) or isinstance(given, float) or allowed > 0
        slack = _ROUNDING * max(abs(float(expected)), allowed)
        return abs(float(expected) - float(given)) <= allowed + slack and inexact


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """Any of these texts; the first is the one that is shown."""

    accepted: tuple[str, ...]

    @property
    def shown(self) -> str:
        return self.accepted[0]


_FEW_DIGITS: Final = 0.01
_ARTICLE = re.compile(r"\b(?:the|an?|its|their)\s+(?=\w\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ExpectedNumbers:
    """One number, or several in order."""

    values: tuple[Number, ...]
    shown: str
    tolerance: Tolerance = Tolerance()
    unit: str = ""
    slips: tuple[tuple[str, tuple[Number, ...]], ...] = ()
    """The sentences on wrong numbers that a known slip gives, with these numbers."""

    def slip(self, numbers: Sequence[Number]) -> str:
        """Return what to say of these wrong numbers, of all slips that give them."""
        return ", or ".join(
            said
            for said, wrong in self.slips
            if len(wrong) == len(numbers) and all(map(self._is_near, wrong, numbers))
        )

    def _is_near(self, wrong: Number, given: Number) -> bool:
        """Return whether a number is a wrong one, which may be typed with few decimal places."""
        wrong, given = float(wrong), float(given)
        rounded = not wrong.is_integer() and math.isclose(wrong, given, rel_tol=_FEW_DIGITS)
        return rounded or self.tolerance.allows(wrong, given)


Expected = ExpectedText | ExpectedNumbers


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A piece of the typed text, and whether the answer has it."""

    text: str
    right: bool


@dataclass(frozen=True, slots=True)
class AnswerComparison:
    """The typed text beside the expected text."""

    correct: bool | None
    """None where the words differ: whether they mean the same is for the learner to say."""
    given: str
    expected: str
    parts: tuple[AnswerPart, ...]
    note: str = ""
    """What to say beside it: how far off, how many numbers were expected, which unit."""


def expected_number(answer: str, extra: Mapping[str, Any]) -> ExpectedNumbers | None:
    """Return what a numeric card expects, with the tolerance and unit of `extra`.

    None when `answer` is no number.
    """
    value = read_number(answer)
    if value is None:
        return None
    tolerance = read_tolerance(str(extra.get("tolerance") or "0")) or Tolerance()
    unit = str(extra.get("unit") or "")
    slips = tuple((said, (float(wrong),)) for said, wrong in extra.get("slips") or ())
    shown = f"{_grouped(answer, value)} {unit}".strip()
    return ExpectedNumbers((value,), shown, tolerance, unit, slips)


def read_tolerance(text: str) -> Tolerance | None:
    """`0.005` is absolute, `1%` relative."""
    value = read_number(text)
    if value is None or value < 0:
        return None
    is_relative = "%" in text
    return Tolerance(relative=float(value)) if is_relative else Tolerance(absolute=float(value))


def compare(expected: Expected, given: str) -> AnswerComparison:
    """Compare an answer with what is expected, and mark the parts that differ."""
    given = given.strip()
    if isinstance(expected, ExpectedText):
        return _compare_text(expected, given)
    return _compare_numbers(expected, given)


def _compare_text(expected: ExpectedText, given: str) -> AnswerComparison:
    plain = plain_text(given)
    for accepted in expected.accepted:
        in_any_order = " and " in accepted and _joined(given) == _joined(accepted)
        if plain and (plain == plain_text(accepted) or in_any_order):
            return AnswerComparison(True, given, accepted, (AnswerPart(given, True),))

    def like(accepted: str) -> float:
        return difflib.SequenceMatcher(None, plain_text(accepted), plain, autojunk=False).ratio()

    nearest = max(expected.accepted, key=like)
    return AnswerComparison(None, given, expected.shown, _marked(given, nearest))


def _compare_numbers(expected: ExpectedNumbers, given: str) -> AnswerComparison:
    several = len(expected.values) > 1
    if not given:
        return AnswerComparison(False, given, expected.shown, ())
    wrong = AnswerComparison(False, given, expected.shown, (AnswerPart(given, False),))
    numbers = _numbers_in(given, expected)
    if numbers is None:
        return replace(wrong, note="not a number")
    note = expected.slip(numbers)
    if len(numbers) != len(expected.values):
        wanted = f"{len(expected.values)} numbers" if several else "one number"
        return replace(wrong, note=note or f"expected {wanted}, got {len(numbers)}")
    right = [*map(expected.tolerance.allows, expected.values, numbers)]
    if all(right):
        return AnswerComparison(True, given, expected.shown, (AnswerPart(given, True),))
    if several:
        each = zip(numbers, right, strict=True)
        marked = tuple(AnswerPart(f"{float(number):g}", good) for number, good in each)
        return replace(wrong, parts=marked, note=note)
    return replace(wrong, note=note or _distance(expected.values[0], numbers[0]))


def _numbers_in(given: str, expected: ExpectedNumbers) -> tuple[Number, ...] | None:
    """Return the numbers that were typed, with or without the unit; None for other text."""
    if expected.unit and given.casefold().endswith(expected.unit.casefold()):
        given = given[: -len(expected.unit)].rstrip()
    single = read_number(given)
    return read_numbers(given) if len(expected.values) > 1 or single is None else (single,)


def _joined(text: str) -> set[str]:
    """Return the things that a text lists."""
    return set(map(plain_text, re.split(r"[,;&+/]|\band\b", text))) - {""}


def plain_text(text: str) -> str:
    """Return an answer without case, marks, articles and spacing, alike for two spellings of it."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _ARTICLE.sub("", text)
    text = re.sub(r"\\?sqrt|\\surd", "√", text)
    # A product may be written with any sign or none, and a shape as a product or in words.
    text = re.sub(r"\\?(?:cdot|times)(?![a-z])|[×·⋅∗*]|(?<=\s)(?:x|by)(?=\s)", "", text)
    text = re.sub(r"\\?(?:left|right|mathrm|text|top)(?=[^a-z])", "", text)
    text = text.replace("−", "-").replace("–", "-").replace("’", "'")
    return re.sub(r"[\s_^${}()\\`\"“”]|\.$", "", text)


def _marked(given: str, expected: str) -> tuple[AnswerPart, ...]:
    """`given` in pieces: those that stand in `expected` in the same order, and the rest."""
    matcher = difflib.SequenceMatcher(None, given.casefold(), expected.casefold(), autojunk=False)
    parts = [
        AnswerPart(given[start:end], tag == "equal")
        for tag, start, end, _, _ in matcher.get_opcodes()
        if end > start
    ]
    return tuple(parts)


def _distance(expected: Number, given: Number) -> str:
    """Describe how far off a number is, in words that hint at the reason."""
    if given == -expected:
        return "the sign is wrong"
    if expected != 0 and given != 0 and not isinstance(expected, float):
        factor = float(given) / float(expected)
        for low in (10.0, 2.0):
            power = math.log(abs(factor), low)
            if factor > 0 and abs(power - round(power)) < _ROUNDING and 0 < abs(power) < 13:
                return f"off by a factor of {low:g}{_power(round(abs(power)))}"
    return f"off by {abs(float(given) - float(expected)):.4g}"


def _power(exponent: int) -> str:
    digits = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return "" if exponent == 1 else str(exponent).translate(digits)


def _grouped(written: str, value: Number) -> str:
    """A large whole number with separators, anything else as its author wrote it."""
    if isinstance(value, Fraction) and value.denominator == 1 and written.strip().isdigit():
        return f"{int(value):,}"
    return written.strip()
