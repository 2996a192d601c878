"""Submissions that a teacher may want to look at: nearly equal code, and unusual means.

Nothing here judges: students may have worked together as they were told to, and short functions
have few ways to be written. Code is only parsed, never run.

Near copies are found by winnowing (Schleimer, Wilkerson and Aiken 2003): of the hashes of all runs
of tokens a few are kept, in a way that two files with the same passage keep the same ones. Names
of variables, numbers, comments and layout do not count; passages that much of the class has do not
either.
"""

from __future__ import annotations

import ast
import io
import itertools
import keyword
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from studyattn.grading.submission import Submission
from studyattn.grading.verdict import Report, Verdict

RUN = 10
"""Tokens of a passage: shorter ones are told from each other by chance alone."""

WINDOW = 4
"""Passages of which one is kept."""

COMMON = 0.1
"""The share of the class from which on a passage counts as usual."""

FEW = 3
"""Students who may have a passage, however small the class, before it counts as usual."""

MOST = 20
"""Students who may have a passage, however large the class: more of them is no secret."""

LONG = 200
"""Tokens from which on equal code is listed, whoever else has passages of it."""

ALIKE = 0.8
"""The share of unusual passages that two files must have in common."""

ENOUGH = 6
"""Unusual passages that they must have in common."""

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
class Alike:
    """Students whose code for a drill is alike. `share` is 1 where it is the same but for names."""

    drill: str
    students: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Unusual:
    """The means that a submission uses and its drill does not need, with their lines."""

    student: str
    drill: str
    signs: tuple[str, ...]


def alike(coded: Sequence[Coded]) -> list[Alike]:
    """Return groups of equal code and pairs of near-equal code, the most alike first."""
    found: list[Alike] = []
    by_drill: dict[str, list[Coded]] = defaultdict(list)
    for each in coded:
        by_drill[each.drill].append(each)
    for drill, of in by_drill.items():
        found += _alike(drill, of)
    return sorted(found, key=lambda each: (-each.share, each.drill, each.students))


def _alike(drill: str, coded: Sequence[Coded]) -> Iterator[Alike]:
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for each in coded:
        groups[tuple(tokens(each.submission.source))].append(each.student)
    prints = [_fingerprints(code) for code in groups]
    students = list(groups.values())
    spread: Counter[int] = Counter()
    for own, of in zip(prints, students, strict=True):
        for one in own:
            spread[one] += len(of)
    most = max(FEW, min(COMMON * len(coded), MOST))
    rare = [{one for one in own if spread[one] <= most} for own in prints]
    for code, own, of in zip(groups, rare, students, strict=True):
        if len(of) > 1 and (len(own) >= ENOUGH or len(code) >= LONG):
            yield Alike(drill, tuple(sorted(of)), 1.0)
    having: dict[int, list[int]] = defaultdict(list)
    for number, own in enumerate(rare):
        for one in own:
            having[one].append(number)
    shared = Counter(
        pair for numbers in having.values() for pair in itertools.combinations(numbers, 2)
    )
    for (first, second), count in shared.items():
        share = count / len(rare[first] | rare[second])
        if count >= ENOUGH and share >= ALIKE:
            yield Alike(drill, tuple(sorted({*students[first], *students[second]})), share)


def tokens(source: bytes) -> list[str]:
    """Return the tokens of a file without comments and layout; names and numbers are all alike.

    A file that is no Python, or a very long one, has those that come before that is noticed.
    """
    found: list[str] = []
    after_dot = False
    try:
        for token in tokenize.tokenize(io.BytesIO(source[:LONGEST]).readline):
            match token.type:
                case tokenize.NAME if not keyword.iskeyword(token.string) and not after_dot:
                    found.append("name")
                case tokenize.NAME | tokenize.OP:
                    found.append(token.string)
                case tokenize.NUMBER:
                    found.append("0")
                case tokenize.STRING:
                    found.append("text")
            after_dot = token.string == "."
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError, ValueError):
        pass
    return found


def _fingerprints(code: Sequence[str]) -> set[int]:
    hashes = [
        int.from_bytes(blake2b(" ".join(code[at : at + RUN]).encode(), digest_size=8).digest())
        for at in range(len(code) - RUN + 1)
    ]
    return {min(hashes[at : at + WINDOW]) for at in range(max(len(hashes) - WINDOW + 1, 0))}


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
