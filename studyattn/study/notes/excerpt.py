"""Typeset the formulas of a line cut out of a text, and keep the words that were found marked.

A formula that the cut went through is left out, because half of one is unreadable, unless a word
that was found is in it: then the beginning of one stays without its commands.
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
_BEGIN_OF_ONE: Final = re.compile(r"(?<![\w\\$])\${1,2}[^\s$][^$]*…$")

_SIGNS: Final = re.compile(r"\*\*|(?<!\S)#{1,6} (?=\S)")
_COMMANDS: Final = re.compile(r"\\[a-zA-Z]+|[\\${}]")
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
    """Return the line with its formulas set, except those that would lose a word that was found.

    Signs of bold text and of headings are left out.
    """
    if not any(sign in line.text for sign in ("$", "**", "# ")):
        return line
    text, marks = "", []
    position = 0
    for swap in sorted(_swaps(line.text), key=attrgetter("start")):
        if swap.start < position:  # within what was replaced
            continue
        inside = [mark for mark in line.marks if swap.start < mark[1] and mark[0] < swap.end]
        moved = [swap.moved(mark, line.text) for mark in inside]
        if None in moved:
            continue
        marks += _between(line, position, swap.start, len(text))
        text += line.text[position : swap.start]
        marks += [(len(text) + a, len(text) + b) for a, b in filter(None, moved)]
        text += swap.new
        position = swap.end
    marks += _between(line, position, len(line.text), len(text))
    return line._replace(text=text + line.text[position:], marks=tuple(marks))


def _between(line: MarkedText, start: int, end: int, at: int) -> list[tuple[int, int]]:
    """Return the marks that begin in `[start, end)`, moved so that `start` is at `at`."""
    return [(a - start + at, b - start + at) for a, b in line.marks if start <= a < end]


def _swaps(text: str) -> Iterator[_Swap]:
    for sign in _SIGNS.finditer(text):
        yield _Swap(sign.start(), sign.end(), "")
    cut = _END_OF_ONE.match(text)
    position = cut.end() if cut else 0
    if cut:
        yield _Swap(0, position, _CUT)
    for formula in _FORMULA.finditer(text, position):
        yield _Swap(formula.start(), formula.end(), titles.formula(formula[1] or formula[2]))
        position = formula.end()
    begun = _BEGIN_OF_ONE.search(text, position)
    if begun:
        yield _Swap(begun.start(), len(text), _CUT)
        if "\\" in begun[0]:  # for a word that was found there
            yield _Swap(begun.start(), len(text), _COMMANDS.sub("", begun[0]))
