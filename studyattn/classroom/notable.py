"""Submissions that a teacher may want to look at: unusual means, and the shortest of each mistake.

Nothing here judges. Code is only parsed, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from studyattn.grading.submission import Submission
from studyattn.grading.verdict import Report, Verdict

LONGEST = 100_000
"""Bytes of a file that is parsed."""

USUAL = frozenset(
    ("numpy", "torch", "math", "cmath", "numbers", "operator", "functools", "itertools", "typing")
) | {"dataclasses", "collections", "abc", "warnings", "einops", "mine", "__future__"}
"""Modules whose import is nothing unusual in a drill."""

_CALLS = frozenset({"eval", "exec", "compile", "open", "globals", "vars", "__import__", "setattr"})
_PARTS = frozenset(
    {"_C", "__globals__", "__subclasses__", "__builtins__", "__code__", "_getframe", "f_back"}
)


@dataclass(frozen=True, slots=True)
class Coded:
    """One student's submission to a drill, with its report where there is one."""

    student: str
    drill: str
    submission: Submission
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class Unusual:
    """The means that a submission uses and its drill does not need, with their lines."""

    student: str
    drill: str
    signs: tuple[str, ...]


def unusual(coded: Iterable[Coded]) -> list[Unusual]:
    """Return what submissions do that the grader's documentation says could get around a check."""
    found = []
    for each in coded:
        signs = list(_signs(each.submission))
        if each.report is not None and each.report.verdict is Verdict.REFUSED:
            signs.insert(0, each.report.message)
        if signs:
            found.append(Unusual(each.student, each.drill, tuple(dict.fromkeys(signs))))
    return found


def _signs(submission: Submission) -> Iterator[str]:
    try:
        tree = ast.parse(submission.source[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    usual = {*USUAL, *(file.module.partition(".")[0] for file in submission.beside or ())}
    for node in ast.walk(tree):
        for sign in (*_imported(node, usual), *_reached(node)):
            yield f"line {getattr(node, 'lineno', 0)}: {sign}"


def _imported(node: ast.AST, usual: set[str]) -> Iterator[str]:
    modules: list[str] = []
    match node:
        case ast.Import(names=names):
            modules = [name.name for name in names]
        case ast.ImportFrom(module=str(module), level=0):
            modules = [module]
    yield from (f"imports {each}" for each in modules if each.partition(".")[0] not in usual)


def _reached(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            yield f"calls {name}"
        case ast.Attribute(attr=part) if part in _PARTS:
            yield f"uses {part}"
        case ast.Assign(targets=targets):
            for target in filter(_is_of_a_library, targets):
                yield f"changes {ast.unparse(target)}"


def _is_of_a_library(target: ast.expr) -> bool:
    while isinstance(target, ast.Attribute):
        target = target.value
        if isinstance(target, ast.Name):
            return target.id in {"torch", "np", "numpy", "sys", "builtins"}
    return False


def nameless(source: bytes, most: int = 60) -> str:
    """Return code without comments, docstrings and texts, which might name its author.

    Empty where it is no Python or has more than `most` lines.
    """
    try:
        tree = ast.parse(source[:LONGEST])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "…"
        body: list[ast.stmt] | None = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and _is_text(body[0]):
            del body[0]
    text = ast.unparse(tree)
    return text if text.count("\n") < most else ""


def _is_text(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def examples(coded: Iterable[Coded]) -> dict[str, str]:
    """Return for each named mistake the shortest code that makes it alone, nameless."""
    found: dict[str, str] = {}
    for each in coded:
        if each.report is None or not each.report.diagnosis:
            continue
        best = each.report.diagnosis[0]
        text = nameless(each.submission.source)
        if len(best.mistakes) == 1 and text:
            mistake = best.misconceptions[0]
            found[mistake] = min(found.get(mistake, text), text, key=len)
    return found
