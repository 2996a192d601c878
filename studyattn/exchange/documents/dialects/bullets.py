"""Outlines: bullets within bullets, as RemNote and Logseq write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from studyattn.exchange.documents.rows import Headings, rows_of

_BULLET = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>[-*+]|\d+[.)])(?:[ \t]+(?P<text>.*))?$")
_TAB: Final = 4
_DEEPEST: Final = 100
"""Levels of bullets. What is deeper is read as if it were at this level."""


@dataclass(slots=True)
class Bullet:
    """One bullet with its text, which may go on over rows, and the bullets below it."""

    line: int
    indent: int
    heading: str
    rows: list[str]
    children: list[Bullet] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, without properties."""
        return "\n".join(self.rows).strip()

    def below(self) -> str:
        """Return the bullets below it as a list; of a single one without more, its text."""
        if len(self.children) == 1 and not self.children[0].children:
            return self.children[0].text
        return "\n".join(row for child in self.children for row in child.listed(0))

    def listed(self, depth: int) -> Iterator[str]:
        """Yield it and what is below it as rows of a list."""
        pad = "  " * depth
        first, *rest = self.text.split("\n")
        yield f"{pad}- {first}"
        yield from (f"{pad}  {row}" if row else "" for row in rest)
        for child in self.children:
            yield from child.listed(depth + 1)

    def walk(self) -> Iterator[Bullet]:
        """Yield it and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def bullets(text: str) -> list[Bullet]:
    """Return the outermost bullets of a text, each under the heading before it."""
    outermost: list[Bullet] = []
    open_ones: list[Bullet] = []
    headings = Headings()
    for number, row, coded in rows_of(text):
        found = _BULLET.match(row)
        if coded and found and not (found["text"] or "").startswith(("```", "~~~")):
            found = None
        if found:
            indent = len(found["indent"].expandtabs(_TAB))
            while open_ones and open_ones[-1].indent >= indent:
                open_ones.pop()
            del open_ones[_DEEPEST:]
            bullet = Bullet(number, indent, headings.last, [found["text"] or ""])
            (open_ones[-1].children if open_ones else outermost).append(bullet)
            open_ones.append(bullet)
        elif open_ones and (row.strip() or coded):
            if not coded and row[:1].strip():  # a row at the margin ends the list
                open_ones = []
                headings.take(row)
            else:
                inner = open_ones[-1].indent + 2
                open_ones[-1].rows.append(_dedented(row, inner))
        elif not coded and not open_ones:
            headings.take(row)
    return outermost


def _dedented(row: str, width: int) -> str:
    """Return a row without the indent of its bullet."""
    wide = row.expandtabs(_TAB)
    return wide[min(width, len(wide) - len(wide.lstrip())) :]
