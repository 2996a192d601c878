"""The tables of `edits`: what is written for one another in code, and what is forgotten."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from itertools import combinations

# ── what is taken for one another ────────────────────────────────────────────────────────────────

OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.FloorDiv: "//",
    ast.Mod: "%", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip

COMMUTATIVE = frozenset("+*&|^")

TAKEN = (
    "+ - * /, * ** @, / // %, & | ^, << >>, < <= > >= == !=, mean sum prod, max min,"
    "amax amin, maximum minimum, argmax argmin, sin cos, log log2 log10 log1p, exp exp2 expm1,"
    "sqrt rsqrt square, tril triu, cumsum cumprod, std var, floor ceil round trunc, any all,"
    "softmax log_softmax, sigmoid tanh erf, zeros ones, zeros_like ones_like, append extend,"
    "repeat repeat_interleave tile, concatenate cat stack, ge gt le lt eq ne, add sub mul div,"
    "float64 float32 float16 bfloat16, double float half"
)
FAMILIES = [family.split() for family in TAKEN.split(",")]
"""Operators, and names of functions or types, of which one is written for another."""

LIBRARIES = frozenset({"np", "numpy", "torch", "F", "nn", "math", "torch.nn.functional"})

# ── what is forgotten ────────────────────────────────────────────────────────────────────────────

OPTIONS = (
    "keepdim=True", "keepdims=True", "axis=-1", "dim=-1", "axis=0", "dim=0", "ddof=0",
    "unbiased=False", "correction=0", "diagonal=1", "k=1", "axis=-1, keepdims=True",
)  # fmt: skip

WITH_OPTIONS = frozenset(
    (
        "mean", "sum", "prod", "max", "min", "amax", "amin", "std", "var", "softmax", "argmax",
        "argmin", "any", "all", "norm", "logsumexp", "cumsum", "tril", "triu", "sort", "argsort",
        "concatenate", "cat", "stack", "split", "chunk",
    )
)  # fmt: skip
"""Functions that take one of these options or another."""

OPERATIONS = {
    "": ("-({0})", "({0}) ** 2", "({0}) ** 0.5", "({0}) / 2", "({0}) * 2", "({0}) + 1",
         "({0}) - 1", "1 / ({0})", "1 - ({0})", "~({0})"),
    "torch": ("({0}).transpose(-2, -1)", "torch.nan_to_num({0})", "torch.exp({0})",
              "({0}) - ({0}).amax(-1, keepdim=True)", "({0}) / ({0}).sum(-1, keepdim=True)"),
    "np": ("np.swapaxes({0}, -2, -1)", "np.nan_to_num({0})", "np.exp({0})",
           "({0}) - np.max({0}, -1, keepdims=True)", "({0}) / np.sum({0}, -1, keepdims=True)"),
}  # fmt: skip
"""Operations on an expression, in a file that names this library."""

_CONSTANTS = {True: ("False",), False: ("True",), None: ("-1", "0")}

OPERANDS = ("({}) * {}", "({}) / {}", "({}) + {}", "({}) - {}", "({}) / {}.shape[-1] ** 0.5")
"""Operations on an expression and a local name."""


def relatives(name: str) -> Iterator[str]:
    """Yield what `name`, an operator or the name of a function, is taken for."""
    for family in FAMILIES:
        if name in family:
            yield from (each for each in family if each != name)


def other_values(value: object) -> Iterator[str]:
    """Yield what may be right in the place of a constant."""
    match value:
        case bool() | None:
            yield from _CONSTANTS[value]
        case int():
            near = (value - 1, value + 1, -value, 2 * value, value // 2, 0, 1, 2, 3, -1, -2, -3)
            yield from (f"({each})" if each < 0 else str(each) for each in dict.fromkeys(near))
            yield "0.5"
        case float():
            others = (-value, 2 * value, value / 2, value * value, abs(value) ** 0.5, 0.0, 1.0)
            scaled = (1 - value, 10 * value, value / 10, 1 / value if value else 0.0)
            found = filter(math.isfinite, dict.fromkeys((*others, *scaled)))
            yield from (f"({each!r})" for each in found)
            if abs(value) >= 1e4:
                yield from ("float('inf')", "float('-inf')")
        case str() if "->" in value:
            yield from _other_equations(value)


def _other_equations(equation: str) -> Iterator[str]:
    """Yield an equation of einsum with two letters of an operand exchanged."""
    for one, other in combinations(range(len(equation)), 2):
        if equation[one : other + 1].isalpha():
            letters = list(equation)
            letters[one], letters[other] = letters[other], letters[one]
            yield repr("".join(letters))
