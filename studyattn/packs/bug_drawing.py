"""Draws the program of a “find the bug” card anew: other numbers and sizes, names and style.

The bug stays, so the answer does: only the texts change that name variables, and in place of the
symptom, which tells of the author's numbers, the output of right code is shown. What is drawn
follows from the card's guid and its number of reviews, so a review that is shown again, after an
undo or a restart, asks the same. The first review has the program as its author wrote it.

Programs and solutions are code that the learner installed with the pack, as `computed` cards are,
and run in this process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from studyattn.errors import PackError

if TYPE_CHECKING:
    from random import Random

NAMES: Final = "names.txt"
"""In the folder of the bugs: on each line names that may take each other's place."""

LONGEST_LINE: Final = 70
_TRIES: Final = 20
_STYLES: Final = 6  # expressions that are written in another way, at most
_SYMPTOM = re.compile(r"^\*\*Symptom:\*\*.*?(?=^\*\*|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")


@dataclass(frozen=True, slots=True)
class FaultyProgram:
    """The program that a “find the bug” card shows, and the parts it is drawn from."""

    question: str
    program: str
    """What is read."""
    source: str
    """What is run: what the program is given, and the program."""
    output: str
    answer: str
    """Markdown: what is wrong, how the output shows it, the fix, why."""
    sizes: tuple[Mapping[str, str], ...]
    """Other numbers and sizes: what takes the place of which text of the card."""
    drill: str
    """The drill whose task the program does wrongly, and whose judge rejects it."""


Bug = TypeVar("Bug", bound=FaultyProgram)


def draw(bug: Bug, folder: Path, guid: str, reviews: int) -> Bug:
    """Return the bug, of the pack in `folder`, as it is asked after `reviews` reviews.

    As it is where no draw shows it. Raises PackError when its drill has no solution.
    """
    if reviews == 0:
        return bug
    from random import Random  # only drawn programs need it

    drill, names = folder / "drills" / bug.drill, folder / "bugs" / NAMES
    try:
        own = drill / "solution_numpy.py"
        solution = (own if own.is_file() else drill / "solution.py").read_text("utf-8")
        lines = names.read_text("utf-8").splitlines() if names.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"the bug cannot be drawn: {error}", where=str(folder)) from error
    chance = Random(int.from_bytes(sha256(f"{guid} {reviews}".encode()).digest()[:8]))
    sizes: Sequence[Mapping[str, str]] = ({}, *bug.sizes)
    groups = [each.split() for each in lines]
    for turn in range(reviews, reviews + _TRIES):  # two reviews in a row have other numbers
        drawn = _redrawn(bug, solution, sizes[turn % len(sizes)], groups, chance)
        if drawn is not None:
            return drawn
    return bug


def _redrawn(
    bug: Bug,
    solution: str,
    sizes: Mapping[str, str],
    groups: Sequence[Sequence[str]],
    chance: Random,
) -> Bug | None:
    """Return the bug in another program; None where a line is too long or nothing shows the bug.

    `groups` are names that may take each other's place.
    """
    text, names = _renamed(_replaced(bug.program, sizes), groups, chance)
    program = _restyled(text, chance)
    source = _replaced(bug.source.removesuffix(bug.program), sizes) + program
    try:
        output = _printed(source)
        right = _printed(f"{solution}\n{without(source, _defined(solution))}")
    except Exception:  # noqa: BLE001 - whatever it raises, such a program is not asked
        return None
    if output == right or any(len(line) > LONGEST_LINE for line in program.splitlines()):
        return None
    answer = _replaced(bug.answer, sizes)
    if sizes:
        shown = f"**Symptom:** right code prints\n\n```text\n{right.rstrip()}\n```\n\n"
        answer = _SYMPTOM.sub(lambda _: shown, answer)
    return replace(
        bug,
        question=_replaced(bug.question, sizes),
        program=program,
        source=source,
        output=output,
        answer=_CODE.sub(lambda code: _with_names(code[0], names), answer),
    )


def without(source: str, entry: Collection[str]) -> str:
    """Return a program without the definitions of these names. Raises SyntaxError."""
    tree = ast.parse(source)
    tree.body = [each for each in tree.body if getattr(each, "name", None) not in entry]
    return ast.unparse(tree)


def _defined(program: str) -> frozenset[str]:
    body = ast.parse(program).body
    return frozenset(each.name for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef))


# -- other numbers, sizes and names ---------------------------------------------------------------


def _replaced(text: str, by: Mapping[str, str]) -> str:
    if not by:
        return text
    found = re.compile("|".join(re.escape(each) for each in sorted(by, key=len, reverse=True)))
    return found.sub(lambda match: by[match[0]], text)


def _renamed(
    program: str, groups: Sequence[Sequence[str]], chance: Random
) -> tuple[str, Mapping[str, str]]:
    """Give variables other names of their group; return the program, and what names became.

    Names of arguments stay, since callers may use them.
    """
    variables, arguments = _variables(program)
    used = {each.id for each in variables} | arguments
    set_here = {each.id for each in variables if isinstance(each.ctx, ast.Store)}
    names: dict[str, str] = {}
    for old in sorted(set_here - arguments):
        group = next((each for each in groups if old in each), ())
        free = sorted({*group} - used, key=[*group].index)
        if free:
            names[old] = chance.choice([old, *free, *free])
            used.add(names[old])
    for each in reversed(variables):
        program = _spliced(program, each, names.get(each.id, each.id))
    return program, names


def _variables(program: str) -> tuple[list[ast.Name], set[str]]:
    """Return the variables of a program as they stand in it, and the names of its arguments."""
    nodes = [*ast.walk(ast.parse(program))]
    variables = [each for each in nodes if isinstance(each, ast.Name)]
    variables.sort(key=lambda at: (at.lineno, at.col_offset))
    return variables, {each.arg for each in nodes if isinstance(each, ast.arg)}


def _with_names(code: str, names: Mapping[str, str]) -> str:
    return re.sub(r"(?<![\w.])\w+", lambda word: names.get(word[0], word[0]), code)


# -- another style ---------------------------------------------------------------------------------


def _restyled(program: str, chance: Random) -> str:
    """Write some expressions in another way that computes the same."""
    for _ in range(chance.randint(1, _STYLES)):
        ways = list(_other_ways(program))
        if not ways:
            return program
        node, text = chance.choice(ways)
        changed = _spliced(program, node, text)
        if all(len(line) <= LONGEST_LINE for line in changed.splitlines()):
            program = changed
    return program


def _other_ways(program: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield expressions and statements on one line, each with another way to write it."""
    for node in ast.walk(ast.parse(program)):
        if getattr(node, "lineno", None) != getattr(node, "end_lineno", 0):
            continue
        way = _other_way(node, program)
        if way is not None:
            yield node, way


def _other_way(node: ast.AST, program: str) -> str | None:
    def text(each: ast.AST) -> str:
        return ast.get_source_segment(program, each) or ""

    way = None
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            way = f"np.matmul({text(left)}, {text(right)})"
        case ast.Call(func=ast.Attribute(value=ast.Name("np"), attr="sqrt"), args=[number]):
            way = f"{text(number)} ** 0.5" if _is_atom(number) else f"({text(number)}) ** 0.5"
        case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(0.5)):
            way = f"np.sqrt({text(base)})"
        case ast.Call(
            func=ast.Attribute(value=ast.Name("np"), attr="swapaxes"), args=[x, a, b]
        ) if _is_atom(x):
            way = f"{text(x)}.swapaxes({text(a)}, {text(b)})"
        case ast.Call(func=ast.Attribute(value=x, attr="swapaxes"), args=[a, b]):
            way = f"np.swapaxes({text(x)}, {text(a)}, {text(b)})"
        case ast.Call(func=ast.Attribute(value=x, attr="sum" | "max" as name)) if (
            not isinstance(x, ast.Name) or x.id != "np"
        ):
            given = [text(each) for each in (x, *node.args, *node.keywords)]
            way = f"np.{name}({', '.join(given)})"
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Div(), value=value) if _is_atom(value):
            way = f"{name} = {name} / {text(value)}"
    return way


def _is_atom(node: ast.AST) -> bool:
    """Return whether an expression needs no brackets anywhere."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


# -- running and editing ---------------------------------------------------------------------------


def _printed(program: str) -> str:
    """Run a program of the pack, and return what it prints."""
    import numpy as np  # only drawn programs need it

    lines: list[str] = []

    def collect(*values: object, sep: str = " ", end: str = "\n") -> None:
        lines.append(sep.join(map(str, values)) + end)

    namespace: dict[str, Any] = {"print": collect, "__name__": "__main__"}
    with np.errstate():  # a program may silence numpy
        exec(compile(program, "<bug>", "exec"), namespace)  # noqa: S102  # a pack's code is trusted as a program is
    return "".join(lines)


def _spliced(program: str, node: ast.AST, text: str) -> str:
    """Put a text in the place of an expression or statement that is on one line."""
    lines = program.split("\n")
    at = node.lineno - 1  # type: ignore[attr-defined]  # nodes of expressions and statements have it
    row = lines[at].encode()
    begin, end = node.col_offset, node.end_col_offset  # type: ignore[attr-defined]  # likewise
    lines[at] = (row[:begin] + text.encode() + row[end:]).decode()
    return "\n".join(lines)
