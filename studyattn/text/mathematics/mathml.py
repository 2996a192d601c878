"""A formula as MathML, which browsers set without a script.

Only what MathML Core has is written, so every browser shows the same. The spaces round signs are
TeX's, by their kinds: none beside the minus of −x and in scripts, a thin one in log x. Delimiters
grow where the LaTeX says so. A cell of a grid has the class `l`, `c` or `r`, because Core leaves
its alignment to the style sheet.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from studyattn.text.mathematics.formula import (
    Accent,
    Bar,
    Fenced,
    Formula,
    FormulaRow,
    Fraction,
    Grid,
    NodeKind,
    Root,
    Scripts,
    Symbol,
    kind_of,
    spaced,
)

_NO_SPACE: Final = ' lspace="0" rspace="0"'
_THIN: Final = '<mspace width="0.167em"/>'
_SPACES: Final = {1: "0.278em", 2: "1em"}
"""Widths of spaces by their columns in a terminal; any other is half an em a column."""
_SPACED: Final = {
    NodeKind.PUNCTUATION: ("0", "0.167em"),
    NodeKind.BINARY: ("0.222em", "0.222em"),
    NodeKind.RELATION: ("0.278em", "0.278em"),
}
"""TeX's spaces before and after a sign."""
_ACCENTS: Final = {
    "\u0302": "^", "\u0303": "~", "\u0304": "¯", "\u20d7": "→", "\u0307": "˙", "\u0308": "¨",
    "\u030c": "ˇ", "\u0306": "˘", "\u0301": "´", "\u0300": "`", "\u030a": "˚",
}  # fmt: skip


def set_mathml(formula: Formula, latex: str, *, display: bool) -> str:
    """The formula as a `math` element; its LaTeX goes along, to be copied."""
    kind = ' display="block"' if display else ""
    element = _set(formula)
    if not isinstance(formula, FormulaRow):  # which is an element `mrow` already
        element = f"<mrow>{element}</mrow>"
    return (
        f"<math{kind}><semantics>{element}"
        f'<annotation encoding="application/x-tex">{escape(latex, quote=False)}</annotation>'
        "</semantics></math>"
    )


def _set(formula: Formula, *, tight: bool = False) -> str:
    """The formula as one element; in scripts (`tight`) signs bring no space along."""
    match formula:
        case Symbol():
            text = _symbol(formula, formula.kind, tight=tight)
        case FormulaRow(items):
            text = f"<mrow>{''.join(_row(items, tight=tight))}</mrow>"
        case Fraction():
            text = _fraction(formula)
        case Root():
            text = _root(formula)
        case Scripts():
            text = _scripts(formula)
        case Fenced(left, body, right):
            inner = _set(body, tight=tight)
            text = f"<mrow>{_fence(left, 'prefix')}{inner}{_fence(right, 'postfix')}</mrow>"
        case Grid():
            text = _grid(formula)
        case Accent(body, mark):
            sign = f'<mo stretchy="false">{_ACCENTS.get(mark, mark)}</mo>'
            text = f'<mover accent="true">{_set(body)}{sign}</mover>'
        case Bar():
            text = _bar(formula)
    return text


# -- rows and signs --------------------------------------------------------------------------------


def _row(items: Sequence[Formula], *, tight: bool) -> Iterator[str]:
    """The parts of a row. Digits that follow each other are one number."""
    kinds = _kinds(items)
    gaps = [placed.gap for placed in spaced(items, tight=tight)]
    places = range(len(items))
    for is_number, run in groupby(places, key=lambda place: _is_digit(items, place)):
        if is_number:
            yield f"<mn>{''.join(_text(items[place]) for place in run)}</mn>"
            continue
        for place in run:
            if place and gaps[place] and _is_name_apart(kinds[place - 1 : place + 1]):
                yield _THIN
            item = items[place]
            if isinstance(item, Symbol):
                yield _symbol(item, kinds[place], tight=tight)
            else:
                yield _set(item, tight=tight)


def _is_name_apart(kinds: Sequence[NodeKind]) -> bool:
    """Return whether the space of two neighbours is that of a name, which no sign brings along."""
    return NodeKind.FUNCTION in kinds and not _APART.intersection(kinds)


_APART: Final = {NodeKind.BINARY, NodeKind.RELATION, NodeKind.PUNCTUATION, NodeKind.SPACE}
"""Signs that bring their own space."""


def _kinds(items: Sequence[Formula]) -> list[NodeKind]:
    """The kinds of the parts in their place: a binary sign without a space is one of sign."""
    kinds = [kind_of(item) for item in items]
    placed = spaced(items)
    for place, kind in enumerate(kinds):
        if kind is NodeKind.BINARY:
            after = placed[place + 1].gap if place + 1 < len(placed) else 0
            if not after:
                kinds[place] = NodeKind.ORDINARY
    return kinds


def _is_digit(items: Sequence[Formula], place: int) -> bool:
    """A digit, or the point or comma between two."""
    if _text(items[place]).isdecimal():
        return True
    return (
        _text(items[place]) in {".", ","}
        and kind_of(items[place]) is NodeKind.ORDINARY
        and 0 < place < len(items) - 1
        and _text(items[place - 1]).isdecimal()
        and _text(items[place + 1]).isdecimal()
    )


def _text(formula: Formula) -> str:
    return formula.text if isinstance(formula, Symbol) else ""


def _symbol(symbol: Symbol, kind: NodeKind, *, tight: bool = False) -> str:  # noqa: PLR0911 - one return a kind
    text = escape(symbol.text, quote=False)
    if kind is NodeKind.SPACE:
        width = _SPACES.get(len(text), f"{len(text) / 2:g}em")
        return f'<mspace width="{width}"/>'
    if kind is NodeKind.FUNCTION:
        return f"<mi>{text}</mi>" if len(text) > 1 else f'<mi mathvariant="normal">{text}</mi>'
    if symbol.words:
        return f"<mtext>{_held(text)}</mtext>"
    if kind in {NodeKind.OPEN, NodeKind.CLOSE}:
        form = "prefix" if kind is NodeKind.OPEN else "postfix"
        return f'<mo form="{form}" stretchy="false">{text}</mo>'
    if kind is NodeKind.OPERATOR:
        return f"<mo>{text}</mo>"
    if kind in _SPACED:
        before, after = ("0", "0") if tight else _SPACED[kind]
        return f'<mo lspace="{before}" rspace="{after}" stretchy="false">{text}</mo>'
    return _ordinary(symbol, text)


def _ordinary(symbol: Symbol, text: str) -> str:
    if symbol.text.isdecimal():
        return f"<mn>{text}</mn>"
    if symbol.kind is NodeKind.BINARY:
        return f'<mo form="prefix"{_NO_SPACE}>{text}</mo>'
    if unicodedata.category(symbol.text[0])[0] == "P" or symbol.text in {"|", "‖"}:
        return f'<mo stretchy="false"{_NO_SPACE}>{text}</mo>'
    upright = len(symbol.text) == 1 and "Α" <= symbol.text <= "Ω"
    return f'<mi mathvariant="normal">{text}</mi>' if upright else f"<mi>{text}</mi>"


def _held(words: str) -> str:
    """Words whose outer spaces stay."""
    inner = words.strip(" ")
    if not inner:
        return "\u00a0" * len(words)
    before, _, after = words.partition(inner)
    return "\u00a0" * len(before) + inner + "\u00a0" * len(after)


# -- scripts, delimiters, grids --------------------------------------------------------------------


def _fraction(fraction: Fraction) -> str:
    rule = "" if fraction.ruled else ' linethickness="0"'
    return f"<mfrac{rule}>{_set(fraction.numerator)}{_set(fraction.denominator)}</mfrac>"


def _root(root: Root) -> str:
    if root.degree is None:
        return f"<msqrt>{_set(root.body)}</msqrt>"
    return f"<mroot>{_set(root.body)}{_set(root.degree, tight=True)}</mroot>"


def _scripts(formula: Scripts) -> str:
    base = _base(formula)
    lower = "" if formula.lower is None else _set(formula.lower, tight=True)
    upper = "" if formula.upper is None else _set(formula.upper, tight=True)
    if not lower and not upper:
        return base
    stacked = formula.limits
    if stacked is None:
        stacked = kind_of(formula.base) is NodeKind.OPERATOR
    below, above = ("under", "over") if stacked else ("sub", "sup")
    tag = f"m{below * bool(lower)}{above * bool(upper)}"
    return f"<{tag}>{base}{lower}{upper}</{tag}>"


def _base(formula: Scripts) -> str:
    """The base of scripts. Under a name such as max they go to its side in a sentence."""
    base = formula.base
    if isinstance(base, Symbol) and base.kind is NodeKind.FUNCTION and formula.limits:
        text = escape(base.text, quote=False)
        return f'<mo lspace="0" rspace="0" movablelimits="true">{text}</mo>'
    if isinstance(base, Symbol) and base.kind is NodeKind.RELATION and formula.limits:
        return f"<mo>{escape(base.text, quote=False)}</mo>"  # an arrow grows to its label
    return _set(base)


def _fence(sign: str, form: str) -> str:
    """A delimiter that grows with its neighbours."""
    if not sign:
        return ""
    return f'<mo form="{form}" fence="true" stretchy="true">{escape(sign, quote=False)}</mo>'


def _grid(grid: Grid) -> str:
    style = ' displaystyle="true"' if grid.equations else ""
    rows = "".join(f"<mtr>{''.join(_cells(grid, row))}</mtr>" for row in grid.rows)
    table = f"<mtable{style}>{rows}</mtable>"
    if not grid.left and not grid.right:
        return table
    return f"<mrow>{_fence(grid.left, 'prefix')}{table}{_fence(grid.right, 'postfix')}</mrow>"


def _cells(grid: Grid, row: Sequence[Formula]) -> Iterator[str]:
    for place, cell in enumerate(row):
        last = len(grid.columns) - 1
        column = place % (last + 1) if grid.equations else min(place, last)
        yield f'<mtd class="{grid.columns[column]}">{_set(cell)}</mtd>'


def _bar(bar: Bar) -> str:
    sign = ("⏞" if bar.over else "⏟") if bar.brace else ("‾" if bar.over else "_")
    tag = "mover" if bar.over else "munder"
    return f'<{tag}>{_set(bar.body)}<mo stretchy="true">{sign}</mo></{tag}>'
