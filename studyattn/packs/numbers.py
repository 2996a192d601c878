"""Reads a number as people type it: `1/8`, `−0,5`, `57,982,058,496`, `1.25 × 10⁻¹`, `√2/2`.

A value that can be exact is a `Fraction`, so that eleven-digit counts compare digit by digit; a
root that does not come out is a float. No sums: the learner types a result, not a calculation.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

Number = Fraction | float

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT_RUN = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SIGNS: Final = str.maketrans("−–×·⋅⁄÷", "--***//")
_DIGITS = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?")
_EXPONENT = re.compile(r"\^\(?([+-]?\d{1,3})\)?")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_SPACED_THOUSANDS = re.compile(r"(?<=\d)\s(?=\d{3}(?!\d))")
_TWO_NUMBERS = re.compile(r"\d,?\s+\d")
_LONGEST: Final = 80


def read_number(text: str) -> Number | None:
    """The value of `text`, or None when it is not one finite number."""
    cleaned = _clean(text)
    if not cleaned or len(cleaned) > _LONGEST:
        return None
    sign = -1 if cleaned.startswith("-") else 1
    try:
        value = sign * _Product(cleaned.lstrip("+-" if cleaned[0] in "+-" else "")).read()
        finite = math.isfinite(float(value))
    except (_UnreadableError, ZeroDivisionError, OverflowError):
        return None
    return value if finite else None


def calculated(text: str) -> float | None:
    """Return the value of an expression such as `3**2 / (e + sqrt(2))`; None where it is none."""
    try:
        return _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, KeyError, ArithmeticError):
        return None


_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner)
        case ast.BinOp(left=left, op=by, right=right):
            return _OPERATIONS[type(by)](_value(left), _value(right))
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return math.sqrt(_value(inner))
        case ast.Name(id="e"):
            return math.e
    raise ValueError(ast.unparse(node))


def read_numbers(text: str) -> tuple[Number, ...] | None:
    """Several numbers in order: `2 8 64`, `(2, 8, 64)`, `2×8×64`, `[0.1; 0.9]`."""
    inside = text.strip().strip("()[]{}⟨⟩").replace(";", " ")
    if re.search(r"\d\s*[x×]\s*\d", inside) and not re.search(r"10\s*[\^⁻⁰¹²³⁴-⁹]", inside):
        inside = re.sub(r"[x×]", " ", inside)
    numbers = [read_number(part) for part in re.split(r",\s+|,(?=[^,]*,)|\s+|,", inside) if part]
    if not numbers:
        return None
    read = tuple(number for number in numbers if number is not None)
    return read if len(read) == len(numbers) else None


def _clean(text: str) -> str:
    """One spelling for signs, roots, exponents, percent and separators; no spaces."""
    text = _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text.strip())
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold()
    text = re.sub(r"\\?sqrt", "√", text)
    text = re.sub(r"\\?(?:cdot|times)", "*", text)
    text = _SPACED_THOUSANDS.sub("", text)
    if _TWO_NUMBERS.search(text):
        return ""
    text = re.sub(r"[\s_$\\]", "", text).replace("{", "(").replace("}", ")")
    text = _THOUSANDS.sub(lambda run: run[0].replace(",", ""), text)
    if text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    return re.sub(r"(?<=\d)x(?=[\d(√])", "*", text)


class _UnreadableError(Exception):
    """The text is no number in the grammar of `_Product`."""


class _Product:
    """Product: power (('*' | '/')? power)* '%'?    power: atom ('^' integer)?
    atom: digits | '√' atom | '(' product ')'.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def read(self) -> Number:
        value = self._product()
        if self._take("%"):
            value = value / 100
        if self._at != len(self._text):
            raise _UnreadableError
        return value

    def _product(self) -> Number:
        value = self._power()
        while self._at < len(self._text) and self._text[self._at] not in ")%":
            if self._take("/"):
                value = value / self._power()
            else:
                self._take("*")
                value = value * self._power()
        return value

    def _power(self) -> Number:
        base = self._atom()
        exponent = _EXPONENT.match(self._text, self._at)
        if exponent is None:
            return base
        self._at = exponent.end()
        return base ** int(exponent[1])

    def _atom(self) -> Number:
        if self._take("√"):
            return _root(self._atom())
        if self._take("("):
            inside = self._product()
            if not self._take(")"):
                raise _UnreadableError
            return inside
        digits = _DIGITS.match(self._text, self._at)
        if digits is None:
            raise _UnreadableError
        self._at = digits.end()
        return Fraction(digits[0])

    def _take(self, mark: str) -> bool:
        if self._text.startswith(mark, self._at):
            self._at += len(mark)
            return True
        return False


def _root(value: Number) -> Number:
    """Exact where it comes out, as √64 does."""
    if isinstance(value, Fraction):
        above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if above**2 == value.numerator and below**2 == value.denominator:
            return Fraction(above, below)
    return math.sqrt(value)
