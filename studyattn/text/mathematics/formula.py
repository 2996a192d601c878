"""The parts of a formula: the tree between the LaTeX reader and the two ways of setting it.

The kinds are those of TeX (ordinary, operator, binary, relation, opening, closing, punctuation),
because the space between two neighbours follows from their kinds alone. `spaced` is that rule; it
is the same for a formula on one line and for one in two dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import zip_longest
from typing import NamedTuple, TypeAlias


class NodeKind(Enum):
    """The kinds of symbols, by the space that they keep from their neighbours."""

    ORDINARY = auto()
    OPERATOR = auto()  # ∑ ∏: its scripts go below and above it in display
    FUNCTION = auto()  # softmax, log
    BINARY = auto()
    RELATION = auto()
    OPEN = auto()
    CLOSE = auto()
    PUNCTUATION = auto()
    SPACE = auto()


class Symbol(NamedTuple):
    """A letter, a sign, a name or a run of words."""

    text: str
    kind: NodeKind = NodeKind.ORDINARY
    words: bool = False
    """Came from `\\text` or a name: a script made of it is not spelt in small glyphs."""


class FormulaRow(NamedTuple):
    """Parts side by side."""

    items: tuple[Formula, ...]


class Fraction(NamedTuple):
    """One part over another, with a rule between them unless it is a binomial."""

    numerator: Formula
    denominator: Formula
    ruled: bool = True


class Root(NamedTuple):
    """The square root of a body, or the root of a degree."""

    body: Formula
    degree: Formula | None = None


class Scripts(NamedTuple):
    """A base with scripts at its lower and upper right, or below and above it."""

    base: Formula
    lower: Formula | None = None
    upper: Formula | None = None
    limits: bool | None = None
    """Below and above, whatever the base is; `None` lets the base decide."""


class Fenced(NamedTuple):
    """A body between delimiters that grow with it; an empty delimiter is none."""

    left: str
    body: Formula
    right: str


class Grid(NamedTuple):
    """Cells in rows: a matrix, cases, aligned equations."""

    rows: tuple[tuple[Formula, ...], ...]
    columns: str
    """`l`, `c` or `r` for each column; the last one goes for those that follow."""
    left: str = ""
    right: str = ""
    equations: bool = False
    """Columns come in pairs that meet at a relation, and each cell is a formula in display."""


class Accent(NamedTuple):
    """A body under a mark: a combining character."""

    body: Formula
    mark: str


class Bar(NamedTuple):
    """A body with a line or a brace over or under all of it."""

    body: Formula
    over: bool
    brace: bool = False


Formula: TypeAlias = Symbol | FormulaRow | Fraction | Root | Scripts | Fenced | Grid | Accent | Bar


class Placed(NamedTuple):
    """One part of a row, with the columns of space before it."""

    item: Formula
    gap: int


_UNARY_AFTER = frozenset(
    {
        NodeKind.BINARY,
        NodeKind.RELATION,
        NodeKind.OPEN,
        NodeKind.PUNCTUATION,
        NodeKind.OPERATOR,
        NodeKind.FUNCTION,
    }
)
_WORD_LIKE = frozenset({NodeKind.ORDINARY, NodeKind.OPERATOR, NodeKind.FUNCTION, NodeKind.CLOSE})


def kind_of(formula: Formula) -> NodeKind:
    """Return the kind by which a part is spaced; a scripted one has the kind of its base."""
    if isinstance(formula, Symbol):
        return formula.kind
    if isinstance(formula, Scripts):
        return kind_of(formula.base)
    return NodeKind.ORDINARY


def spaced(
    items: Sequence[Formula], *, tight: bool = False, continued: bool = False
) -> list[Placed]:
    """The parts of a row with the space before each.

    In scripts (`tight`) only words are set apart. A row that goes on from the line above it
    (`continued`) may begin with a binary sign that is not a sign of what follows.
    """
    kinds = _resolved(items, continued)
    placed: list[Placed] = []
    for index, item in enumerate(items):
        gap = _gap(kinds[index - 1], kinds[index], item, tight) if index else 0
        placed.append(Placed(item, gap))
    return placed


def _resolved(items: Sequence[Formula], continued: bool) -> list[NodeKind]:
    """The kinds in their place: the minus of −x is no binary sign."""
    kinds = [kind_of(item) for item in items]
    solid = [index for index, kind in enumerate(kinds) if kind is not NodeKind.SPACE]
    before: NodeKind | None = NodeKind.ORDINARY if continued else None
    for index, after in zip_longest(solid, solid[1:]):
        if kinds[index] is NodeKind.BINARY:
            alone = after is None or kinds[after] in _ENDS
            if alone or _is_sign(before, items[index]):
                kinds[index] = NodeKind.ORDINARY
        before = kinds[index]
    return kinds


_ENDS = {NodeKind.CLOSE, NodeKind.RELATION, NodeKind.PUNCTUATION}


def _is_sign(before: NodeKind | None, item: Formula) -> bool:
    """Return whether a binary sign after this has no left side: log −x has a sign, elu + 1 adds."""
    if before is NodeKind.FUNCTION:
        return item != Symbol("+", NodeKind.BINARY)
    return before is None or before in _UNARY_AFTER


def _gap(before: NodeKind, here: NodeKind, item: Formula, tight: bool) -> int:
    if NodeKind.SPACE in {before, here}:
        return 0
    if _is_word_apart({before, here}, item):
        return 1
    if tight:
        return 0
    if {before, here} & _APART or before is NodeKind.PUNCTUATION:
        return int(here is not NodeKind.PUNCTUATION)
    if before is NodeKind.OPERATOR:
        return int(here is not NodeKind.CLOSE)
    return int(here is NodeKind.OPERATOR and before in _WORD_LIKE)


_APART = {NodeKind.RELATION, NodeKind.BINARY}


def _is_word_apart(kinds: set[NodeKind], item: Formula) -> bool:
    """Return whether a name is set apart from its neighbour: log x, but log(x)."""
    is_bracket = kind_of(item) is NodeKind.CLOSE or isinstance(item, Fenced)
    return NodeKind.FUNCTION in kinds and kinds <= _WORD_LIKE and not is_bracket


def flatten(formula: Formula) -> tuple[Formula, ...]:
    """The parts of a row; any other formula is its own one part."""
    if isinstance(formula, FormulaRow):
        return formula.items
    return (formula,)


def only_item(formula: Formula) -> Formula:
    """The content of a row of one part, however deep its braces."""
    while isinstance(formula, FormulaRow) and len(formula.items) == 1:
        formula = formula.items[0]
    return formula


def map_symbols(formula: Formula, change: dict[int, str]) -> Formula:
    """The same formula with the characters of its own symbols translated (a change of font)."""
    match formula:
        case Symbol():
            return formula._replace(text=formula.text.translate(change))
        case FormulaRow(items):
            return FormulaRow(tuple(map_symbols(item, change) for item in items))
        case Scripts():
            return formula._replace(base=map_symbols(formula.base, change))
        case Accent() | Bar() | Fenced():
            return formula._replace(body=map_symbols(formula.body, change))
        case _:
            return formula


def openings(items: Sequence[Formula]) -> Iterator[tuple[int, int]]:
    """The places of each opening delimiter and of the closing one that matches it."""
    waiting: list[int] = []
    for index, item in enumerate(items):
        kind = kind_of(item)
        if kind is NodeKind.OPEN:
            waiting.append(index)
        elif kind is NodeKind.CLOSE and waiting:
            yield waiting.pop(), index
