"""Typeset the formulas of a line cut out of a text, and keep the words that were found marked.

A formula that the cut went through is left out where half of it cannot be set, because it would be
unreadable, unless a word that was found is in it: then that half stays without its commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from studyattn.text import titles

if TYPE_CHECKING:
    from studyattn.store.search import MarkedText

_FORMULA: Final = re.compile(r"\$\$([^$]+)\$\$|(?<![\\$])\$(?![\s$])([^$]+?)(?<![\s\\])\$(?![\d$])")
_END_OF_ONE: Final = re.compile(r"…[^$]*[^\s$\\]\${1,2}(?![\w\\$])")
_WITHIN_ONE: Final = re.compile(r"…[^$]*\\[a-zA-Z]+\{[^$]*…$")
_BEGIN_OF_ONE: Final = re.compile(r"(?<![\w\\$])\${1,2}[^\s$][^$]*…$")

_SIGNS: Final = re.compile(
    r"""\*\*|`|(?<!\S)[#]{1,6}[ ](?=\S)|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])
    |(?<![\w=])==(?=[^\s=])|(?<=[^\s=])==(?![\w=])""",
    re.VERBOSE,
)
_COMMANDS: Final = re.compile(r"\\[a-zA-Z]+|[\\${}]")
_LATEX: Final = re.compile(r"[\\_^{]")
_CUT: Final = "…"


class _Swap(NamedTuple):
    """A replacement of `text[start:end]`."""

    start: int
    end: int
    new: str

    def moved(self, mark: tuple[int, int], text: str) -> tuple[int, int] | None:
        """Return the place in the new text of a word marked in the old one; None if it is gone."""
        word = text[slice(*mark)]
        at = self.new.casefold().find(word.casefold())
        return None if at < 0 else (at, at + len(word))


def with_formulas(line: MarkedText) -> MarkedText:
    """Return the line with its formulas set, as is all that was cut out of one.

    A word that was found only in the LaTeX of a formula loses its mark. Signs of emphasis,
    code, gaps and headings are left out.
    """
    text, marks = "", []
    position = 0
    for swap in sorted(_swaps(line), key=attrgetter("start")):
        if swap.start < position:  # within what was replaced
            continue
        marks += _between(line, position, swap.start, len(text))
        text += line.text[position : swap.start]
        inside = [mark for mark in line.marks if swap.start < mark[1] and mark[0] < swap.end]
        moved = (swap.moved(mark, line.text) for mark in inside)
        marks += [(len(text) + a, len(text) + b) for a, b in filter(None, moved)]
        text += swap.new
        position = swap.end
    marks += _between(line, position, len(line.text), len(text))
    return line._replace(text=text + line.text[position:], marks=tuple(marks))


def _between(line: MarkedText, start: int, end: int, at: int) -> list[tuple[int, int]]:
    """Return the marks that begin in `[start, end)`, moved so that `start` is at `at`."""
    return [(a - start + at, b - start + at) for a, b in line.marks if start <= a < end]


def _swaps(line: MarkedText) -> Iterator[_Swap]:
    text = line.text
    cut = _END_OF_ONE.match(text) or _WITHIN_ONE.match(text)
    position = cut.end() if cut else 0
    if cut:
        yield from _of_cut(line, 0, position)
    for formula in _FORMULA.finditer(text, position):
        yield _Swap(formula.start(), formula.end(), titles.formula(formula[1] or formula[2]))
        position = formula.end()
    if begun := _BEGIN_OF_ONE.search(text, position):
        yield from _of_cut(line, begun.start(), len(text))
    for sign in _SIGNS.finditer(text):
        yield _Swap(sign.start(), sign.end(), "")


def _of_cut(line: MarkedText, start: int, end: int) -> Iterator[_Swap]:
    """Yield what stands for the part of a formula that is in the line, if anything has to."""
    part = line.text[start:end]
    inside = [mark for mark in line.marks if start <= mark[0] < end]
    if _LATEX.search(part):
        latex = part.strip(f"{_CUT}$ ")
        new = part.replace(part.strip(_CUT), titles.formula(latex))
        swap = _Swap(start, end, _COMMANDS.sub("", new))
        if swap.new == new or any(swap.moved(mark, line.text) for mark in inside):
            yield swap
        else:
            yield _Swap(start, end, _CUT)
    elif not inside:
        yield _Swap(start, end, _CUT)
