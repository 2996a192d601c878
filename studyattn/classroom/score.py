"""The rule that turns a report into points, written by the teacher as arithmetic.

    100 * passed
    60 * passed + 40 * cases
    max(0, 10 * cases - 2 * mistakes)

`passed` is 1 or 0, `cases` the share of cases that were answered right, `mistakes` how many named
mistakes were found. What a submission without a fault gets is the most that can be had.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from studyattn.errors import InputError

NAMES = ("passed", "cases", "mistakes")
_BINARY: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_CALLS: Mapping[str, Callable[..., float]] = {"min": min, "max": max, "round": round}


@dataclass(frozen=True, slots=True)
class Score:
    """A rule. InputError for text that is none, or that divides by zero."""

    text: str = "passed"

    def __post_init__(self) -> None:
        if self.most <= 0:
            raise self._refused("a perfect submission gets no points under this rule")
        self.of(passed=False, cases=0.0, mistakes=1)

    @property
    def most(self) -> float:
        """The points of a submission without a fault."""
        return self.of(passed=True, cases=1.0, mistakes=0)

    def of(self, *, passed: bool, cases: float, mistakes: int) -> float:
        """Return the points of a submission; `cases` is the share from 0 to 1."""
        given = {"passed": float(passed), "cases": cases, "mistakes": float(mistakes)}
        try:
            points = _value(ast.parse(self.text, mode="eval").body, given)
        except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
            raise self._refused("this is not a valid scoring rule") from error
        if not math.isfinite(points):
            raise self._refused("this rule does not give a number")
        return round(points, 4)

    def _refused(self, message: str) -> InputError:
        return InputError(
            f"{self.text!r}: {message}",
            where="--score",
            advice=f"Write arithmetic with {', '.join(NAMES)}, such as 60 * passed + 40 * cases.",
        )


def _value(node: ast.expr, given: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name) if name in given:
            return given[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, given)
        case ast.BinOp(left=left, op=kind, right=right) if type(kind) in _BINARY:
            return _BINARY[type(kind)](_value(left, given), _value(right, given))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _CALLS and args:
            values: list[Any] = [_value(each, given) for each in args]
            return float(_CALLS[name](*values))
        case _:
            raise ValueError(ast.dump(node))
