"""The steps of a program: which array operations it is made of, read from its text. Pure.

Two right programs that do the same in different words have the same steps: `a @ b`, `matmul(a, b)`
and `a.matmul(b)` are each one matrix product. Nothing is run, so the count is of what is written.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

_OPERATORS: dict[type[ast.AST], str] = {
    ast.MatMult: "matrix product",
    ast.Div: "division",
    ast.Pow: "power",
}
_LOOPS: dict[type[ast.AST], str] = {
    ast.For: "Python loop",
    ast.While: "Python loop",
    ast.ListComp: "Python loop",
    ast.GeneratorExp: "Python loop",
}
_SAME_STEP = {
    "matrix product": "matmul bmm dot mm",
    "division": "divide div true_divide",
    "power": "pow square",
    "max": "amax",
    "transpose": "T mT swapaxes permute",
    "reshape": "view flatten",
    "where": "masked_fill masked_fill_",
    "concatenation": "concatenate cat",
    "not": "logical_not",
    "": "Tensor ndarray array tensor asarray to astype type float32 float64 contiguous copy clone"
    " item append range len int float bool str tuple list enumerate zip isinstance print finfo"
    " size",
}
"""Names of functions and methods by the step that they are; "" is none."""
_NAMES = {name: step for step, names in _SAME_STEP.items() for name in names.split()}


@dataclass(frozen=True, slots=True)
class StepDifference:
    """A step that two programs take a different number of times."""

    step: str
    yours: int
    solution: int


def steps_of(source: str) -> Counter[str]:
    """Count the steps of a program; none of text that is not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return Counter()
    own = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign):
            name = _OPERATORS.get(type(node.op), "")
        elif isinstance(node, ast.Call):
            name = _called(node.func)
        elif isinstance(node, ast.Attribute):
            name = _NAMES[node.attr] if node.attr in {"T", "mT"} else ""
        else:
            name = _LOOPS.get(type(node), "")
        if name and name not in own:
            found[name] += 1
    return found


def differing_steps(yours: str, solution: str) -> tuple[StepDifference, ...]:
    """Return the steps of which two programs have different numbers, the greatest difference first.

    Empty for two programs with the same steps, whatever their order and their names.
    """
    own, other = steps_of(yours), steps_of(solution)
    found = [
        StepDifference(step, own[step], other[step])
        for step in own.keys() | other.keys()
        if own[step] != other[step]
    ]
    return tuple(sorted(found, key=lambda each: (-abs(each.yours - each.solution), each.step)))


def _called(function: ast.expr) -> str:
    """Return the step that a call takes; empty for one on no name."""
    if isinstance(function, ast.Attribute):
        return _NAMES.get(function.attr, function.attr)
    return _NAMES.get(function.id, function.id) if isinstance(function, ast.Name) else ""
