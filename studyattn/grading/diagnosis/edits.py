"""Small edits of a submission's syntax tree, as changes of its text.

Each edit replaces one node, so a file that is mended by it stays the learner's in every other byte.
`edits_of` gives all of them, the plainest first: dropping before exchanging, exchanging before
adding. Which of them makes the submission right is `repair`'s to find.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, combinations, pairwise, repeat

from studyattn.grading.diagnosis.slips import (
    COMMUTATIVE,
    LIBRARIES,
    OPERANDS,
    OPERATIONS,
    OPERATORS,
    OPTIONS,
    WITH_OPTIONS,
    other_values,
    relatives,
)
from studyattn.grading.submission import tree_of


class EditKind(Enum):
    """The kind of an edit: its rank, of which low ones are tried first, and a hint at it.

    The hint says what is wrong about the text that stands there, and not what would be right.
    """

    EXTRA = 0, "a part of {} does not belong there"
    SIDES = 0, "the two sides of {} are exchanged"
    STATEMENT = 0, "the statement {} does not belong there"
    OPERATOR = 1, "the operator in {} is wrong"
    COMPARISON = 1, "the comparison {} is wrong"
    GROUPING = 1, "{} is grouped wrongly"
    ARGUMENTS = 1, "two arguments of {} are exchanged"
    VALUE = 1, "the value {} is wrong"
    SLICE = 1, "the bounds of {} are wrong"
    FUNCTION = 1, "{} calls the wrong function"
    ASSIGNMENT = 1, "the kind of assignment in {} is wrong"
    LEFT_EARLY = 1, "{} leaves its loop in the first round"
    ORDER = 2, "the order of {} and the next statement is wrong"
    NAME = 2, "{} is the wrong name there"
    NAMES = 2, "two names in {} are exchanged"
    ARGUMENT = 3, "an argument is missing in {}"
    OPERATION = 4, "{} would be right with one more operation"
    OPERAND = 5, "{} would be right with one more operand"

    def __init__(self, rank: int, hint: str) -> None:
        self.rank = rank
        self.hint = hint


LONGEST = 60
"""Characters of code in a hint."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the text `before` in `line` of the file, wherever the same text stands.

    Each of `changes` is the bytes that go, from and to, with what takes their place.
    """

    kind: EditKind
    line: int
    before: str
    changes: tuple[tuple[int, int, str], ...]

    @property
    def after(self) -> str:
        return self.changes[0][2]

    @property
    def right(self) -> str:
        """Return the text for the place of `before`, without needless parentheses."""
        try:
            return ast.unparse(tree_of(self.after))
        except SyntaxError:  # the bounds of a slice
            return self.after

    @property
    def hint(self) -> str:
        """Say what is wrong about what stands there."""
        text = " ".join(self.before.split())
        text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        sentence = self.kind.hint.format(f"`{text}`")
        count = len(self.changes)
        times = f", {count} times from here on" if count > 1 else ""
        return f"{sentence[0].upper()}{sentence[1:]}{times}."


def applied(source: bytes, edit: Edit) -> bytes:
    """Return `source` with this edit."""
    for start, end, after in reversed(edit.changes):
        source = source[:start] + after.encode() + source[end:]
    return source


def both(one: Edit, other: Edit) -> Edit | None:
    """Return two edits as one; None if they meet."""
    changes = tuple(sorted(one.changes + other.changes))
    meet = any(first[1] >= then[0] for first, then in pairwise(changes))
    return None if meet else Edit(one.kind, one.line, one.before, changes)


def edits_of(source: bytes) -> tuple[Edit, ...]:
    """Return the edits of the functions in `source`, the plainest first.

    SyntaxError or ValueError when it is not Python.
    """
    found = {
        edit.changes: edit
        for edit in sorted(_Edits(source).every(), key=lambda edit: -edit.kind.rank)
        if edit.before != edit.after
    }
    alike: dict[tuple[EditKind, str, str], list[Edit]] = {}
    for edit in found.values():
        alike.setdefault((edit.kind, edit.before, edit.after), []).append(edit)
    repeated = [_in_all_places(each) for each in alike.values() if len(each) > 1]
    every = (*found.values(), *repeated)
    return tuple(sorted(every, key=lambda edit: (edit.kind.rank, len(edit.changes) > 1, edit.line)))


def in_fewer_places(source: bytes, edit: Edit) -> Iterator[Edit]:
    """Yield an edit without each of its places, if it has several."""
    for place in edit.changes if len(edit.changes) > 1 else ():
        left = tuple(each for each in edit.changes if each != place)
        yield replace(edit, changes=left, line=source.count(b"\n", 0, left[0][0]) + 1)


def _in_all_places(edits: Sequence[Edit]) -> Edit:
    """Return one edit that makes the same change wherever the same text stands."""
    first, *others = sorted(edits, key=lambda edit: edit.changes)
    changes = list(first.changes)
    for edit in others:
        if edit.changes[0][0] >= changes[-1][1]:  # not inside of the one before
            changes += edit.changes
    return Edit(first.kind, first.line, first.before, tuple(changes))


def place_of(source: bytes) -> Callable[[ast.AST], tuple[int, int]]:
    """Return the function that gives the first byte of a node, and the one after its last."""
    lines = [0]
    for line in source.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    # Columns of the first line are counted after a byte-order mark.
    mark = 3 if source.startswith(b"\xef\xbb\xbf") else 0

    def place(node: ast.AST) -> tuple[int, int]:
        first, column, last, end_column = (
            getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
        )
        start = lines[first - 1] + column + (mark if first == 1 else 0)
        return start, lines[last - 1] + end_column + (mark if last == 1 else 0)

    return place


class _Edits:
    """The syntax tree of one file, with the text of each node."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._place = place_of(source)
        self._tree = tree_of(source)
        self.functions = [
            node for node in ast.walk(self._tree) if isinstance(node, ast.FunctionDef)
        ]
        self._parameters = {
            each.name: [argument.arg for argument in each.args.args] for each in self.functions
        }

    def every(self) -> Iterator[Edit]:
        words = set(re.findall(rb"\w+", self._source))
        known = [each for each in OPERATIONS if not each or each.encode() in words]
        operations = [each for library in known for each in OPERATIONS[library]]
        for function in self.functions:
            names = _names(function)
            for block in _blocks(function):
                yield from self._of_block(block)
            for node in own_nodes(function):
                yield from self._of_node(node)
                yield from self._with_more(node, names, operations)

    def _of_node(self, node: ast.AST) -> Iterator[Edit]:
        """Yield what a node may be instead of what it is, by its type; then its parts."""
        of_type: Callable[[ast.AST], Iterator[Edit]] | None = getattr(
            self, f"_of_{type(node).__name__.lower()}", None
        )
        if of_type is not None:
            yield from of_type(node)
        yield from self._of_parts(node)

    def _with_more(
        self, node: ast.AST, names: frozenset[str], operations: Sequence[str]
    ) -> Iterator[Edit]:
        """Yield a node with another local name, with one more operation, and one more operand."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from self._each(EditKind.NAME, node, names - {node.id})
        if _is_used(node):
            text = self._text(node)
            made = (f"({each.format(text)})" for each in operations)
            yield from self._each(EditKind.OPERATION, node, made)
        for whole in _wholes(node):
            text = self._text(whole)
            for name in sorted(names):
                made = (f"({each.format(text, name)})" for each in OPERANDS)
                yield from self._each(EditKind.OPERAND, whole, made)

    # ── statements ───────────────────────────────────────────────────────────────────────────────

    def _of_block(self, block: Sequence[ast.stmt]) -> Iterator[Edit]:
        for statement in block:
            if not isinstance(statement, ast.Return | ast.FunctionDef) and not _is_text(statement):
                yield self._edit(EditKind.STATEMENT, statement, "pass")
            if isinstance(statement, ast.Assign | ast.Return) and statement.value is not None:
                yield from self._with_names_exchanged(statement.value)
        for one, other in pairwise(block):
            if one.end_lineno != other.lineno:
                (start, between), (then, end) = self._place(one), self._place(other)
                gap = self._source[between:then].decode()
                after = f"{self._text(other)}{gap}{self._text(one)}"
                yield Edit(EditKind.ORDER, one.lineno, self._text(one), ((start, end, after),))

    def _with_names_exchanged(self, value: ast.expr) -> Iterator[Edit]:
        """Yield an expression with two of its names exchanged, for each two of them."""
        start, _ = self._place(value)
        places = sorted(
            (self._place(node), node.id) for node in ast.walk(value) if isinstance(node, ast.Name)
        )
        source = self._text(value).encode()
        for one, other in combinations(sorted({name for _, name in places} - LIBRARIES), 2):
            text = source
            for (begin, end), name in reversed(places):
                if name in {one, other}:
                    instead = other if name == one else one
                    text = text[: begin - start] + instead.encode() + text[end - start :]
            yield self._edit(EditKind.NAMES, value, text.decode())

    def _of_augassign(self, node: ast.AugAssign) -> Iterator[Edit]:
        target, value = self._text(node.target), self._text(node.value)
        yield self._edit(EditKind.ASSIGNMENT, node, f"{target} = {value}")
        for other in relatives(OPERATORS[type(node.op)]):
            yield self._edit(EditKind.OPERATOR, node, f"{target} {other}= {value}")

    def _of_assign(self, node: ast.Assign) -> Iterator[Edit]:
        target, value = self._text(node.targets[0]), self._text(node.value)
        if isinstance(node.targets[0], ast.Name | ast.Subscript):
            changed = (f"{target} {operator}= {value}" for operator in "+-*")
            yield from self._each(EditKind.ASSIGNMENT, node, changed)

    def _of_for(self, node: ast.For) -> Iterator[Edit]:
        """Yield the loop with the `return` at its end behind it."""
        last = node.body[-1]
        if isinstance(last, ast.Return) and len(node.body) > 1 and last.lineno == last.end_lineno:
            start, end = self._place(last)
            before = f"{' ' * last.col_offset}{self._text(last)}"
            after = f"{' ' * node.col_offset}{self._text(last)}"
            change = (start - last.col_offset, end, after)
            yield Edit(EditKind.LEFT_EARLY, last.lineno, before, (change,))

    # ── expressions ──────────────────────────────────────────────────────────────────────────────

    def _of_parts(self, node: ast.AST) -> Iterator[Edit]:
        """Yield an expression as each of its parts alone, and with each two of them exchanged."""
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
            return
        parts = [
            each
            for each in ast.iter_child_nodes(node)
            if isinstance(each, ast.expr) and not isinstance(each, ast.Slice | ast.Starred)
        ]
        own = [each for each in parts if self._text(each) not in LIBRARIES]
        yield from self._each(EditKind.EXTRA, node, map(self._operand, own))
        if isinstance(node, ast.BinOp) and OPERATORS[type(node.op)] not in COMMUTATIVE:
            yield from self._with_two_exchanged(EditKind.SIDES, node, own)

    def _with_two_exchanged(
        self, kind: EditKind, node: ast.expr, parts: Sequence[ast.expr]
    ) -> Iterator[Edit]:
        start, end = self._place(node)
        plain = [each for each in parts if not isinstance(each, ast.Starred)]
        for one, other in combinations(plain, 2):
            (begin, until), (then, last) = self._place(one), self._place(other)
            pieces = (start, begin, until, then, last, end)
            before, _, between, _, after = (
                self._source[first:second].decode() for first, second in pairwise(pieces)
            )
            text = f"{before}{self._operand(other)}{between}{self._operand(one)}{after}"
            yield self._edit(kind, node, f"({text})" if kind is EditKind.SIDES else text)

    def _of_binop(self, node: ast.BinOp) -> Iterator[Edit]:
        left, right, operator = (
            self._operand(node.left), self._operand(node.right), OPERATORS[type(node.op)],
        )  # fmt: skip
        for other in relatives(operator):
            yield self._edit(EditKind.OPERATOR, node, f"({left} {other} {right})")
        yield from self._with_names_exchanged(node)
        match node.left:
            case ast.Call(args=[argument], keywords=[]) as call:  # `_of_call` has the way back
                called = f"{self._text(call.func)}({self._operand(argument)} {operator} {right})"
                yield self._edit(EditKind.GROUPING, node, called)
        for part in (node.left, node.right):
            if isinstance(part, ast.BinOp):
                one, two = self._operand(part.left), self._operand(part.right)
                own = OPERATORS[type(part.op)]
                regrouped = f"(({left} {operator} {one}) {own} {two})"
                if part is node.left:
                    regrouped = f"({one} {own} ({two} {operator} {right}))"
                yield self._edit(EditKind.GROUPING, node, regrouped)

    def _of_compare(self, node: ast.Compare) -> Iterator[Edit]:
        if len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
            left, right = self._operand(node.left), self._operand(node.comparators[0])
            for other in relatives(OPERATORS[type(node.ops[0])]):
                yield self._edit(EditKind.COMPARISON, node, f"{left} {other} {right}")

    def _of_constant(self, node: ast.Constant) -> Iterator[Edit]:
        return self._each(EditKind.VALUE, node, other_values(node.value))

    def _of_attribute(self, node: ast.Attribute) -> Iterator[Edit]:
        if node.attr.startswith(("float", "bfloat")):
            owner = self._operand(node.value)
            yield from self._each(
                EditKind.VALUE, node, (f"{owner}.{each}" for each in relatives(node.attr))
            )

    def _of_slice(self, node: ast.Slice) -> Iterator[Edit]:
        first, last = (self._text(each) if each else "" for each in (node.lower, node.upper))
        step = f":{self._text(node.step)}" if node.step else ""
        bounds = [f"{last}:{first}", f":{last}", f"{first}:", ":"]
        bounds += [f"-({last}):", f"{first}:{last} + 1", f"{first}:{last} - 1"] if last else []
        bounds += [f"{first} + 1:{last}"] if first else ["1:"]
        return self._each(EditKind.SLICE, node, (each + step for each in bounds))

    def _of_call(self, node: ast.Call) -> Iterator[Edit]:
        given = [self._text(each) for each in (*node.args, *node.keywords)]
        if isinstance(node.func, ast.Attribute):
            yield from self._of_method(node, node.func, given)
        match node.args:
            case [ast.BinOp(left, op, right)] if not node.keywords:
                called = f"({self._text(node.func)}({self._text(left)}) {OPERATORS[type(op)]} "
                yield self._edit(EditKind.GROUPING, node, f"{called}{self._operand(right)})")
        for place in range(1, len(given)):
            yield self._called(EditKind.EXTRA, node, given[:place] + given[place + 1 :])
        # An argument for the parameter of its own name stands where it belongs.
        parameters = chain(self._parameters.get(self._text(node.func), ()), repeat(""))
        places = zip(node.args, parameters, strict=False)
        own = [each for each, name in places if self._text(each) != name]
        yield from self._with_two_exchanged(EditKind.ARGUMENTS, node, own)

    def _of_method(
        self, node: ast.Call, function: ast.Attribute, given: Sequence[str]
    ) -> Iterator[Edit]:
        owner, name = self._operand(function.value), function.attr
        if owner not in LIBRARIES:
            yield self._edit(EditKind.EXTRA, node, owner)
        for other in relatives(name):
            yield self._edit(EditKind.FUNCTION, node, f"{owner}.{other}({', '.join(given)})")
        if name in WITH_OPTIONS:
            present = {each.arg for each in node.keywords}
            for option in OPTIONS:
                if option.partition("=")[0] not in present:
                    yield self._called(EditKind.ARGUMENT, node, [*given, option])

    # ── texts and places ─────────────────────────────────────────────────────────────────────────

    def _text(self, node: ast.AST) -> str:
        start, end = self._place(node)
        return self._source[start:end].decode()

    def _operand(self, node: ast.AST) -> str:
        """Return the text of an operand, in parentheses where it may need them."""
        plain = isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
        return self._text(node) if plain else f"({self._text(node)})"

    def _edit(self, kind: EditKind, node: ast.AST, after: str) -> Edit:
        start, end = self._place(node)
        return Edit(kind, getattr(node, "lineno", 1), self._text(node), ((start, end, after),))

    def _each(self, kind: EditKind, node: ast.AST, texts: Iterable[str]) -> Iterator[Edit]:
        return (self._edit(kind, node, text) for text in texts)

    def _called(self, kind: EditKind, node: ast.Call, given: Sequence[str]) -> Edit:
        return self._edit(kind, node, f"{self._text(node.func)}({', '.join(given)})")


def _names(function: ast.FunctionDef) -> frozenset[str]:
    """Return the parameters and local names of a function."""
    nodes = list(ast.walk(function))
    given = {node.arg for node in nodes if isinstance(node, ast.arg)}
    made = {
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return frozenset(given | made)


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body; functions in it have their own turn."""
    pending: list[ast.AST] = [each for each in function.body if not _is_text(each)]
    while pending:
        node = pending.pop()
        if not isinstance(node, ast.FunctionDef | ast.JoinedStr | ast.arguments):
            yield node
            pending += ast.iter_child_nodes(node)


def _blocks(function: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements in a function."""
    for node in (function, *own_nodes(function)):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _is_used(node: ast.AST) -> bool:
    """Return whether a node has a value that is used, on which something may be missing."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.BinOp | ast.Call)


def _wholes(node: ast.AST) -> Iterator[ast.expr]:
    """Yield values of statements, arguments, terms and powers, beside which something may miss."""
    match node:
        case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.Return(value=value):
            if value is not None and _is_used(value):
                yield value
        case ast.Call(args=given):
            yield from (each for each in given if _is_used(each))
        case ast.BinOp(left, ast.Pow() | ast.Add() | ast.Sub(), right):
            yield from filter(_is_used, (left, right))


def _is_text(statement: ast.AST) -> bool:
    """Return whether a statement is a text that stands alone, as a docstring does."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
