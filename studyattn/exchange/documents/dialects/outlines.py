"""Cards in outlines of bullets: Logseq's and RemNote's. What they are called is in their pages.

RemNote's marks stand between the sides of a card: `question >> answer`. Logseq's mark makes a card
of a block: its answer is what is below it. Both may have gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from studyattn.exchange.documents.dialects.dialect import Reading
from studyattn.exchange.documents.names import page_of, patterns_of
from studyattn.exchange.documents.rows import (
    ITEM,
    Row,
    gapped,
    masked,
    rows_of,
    unfenced,
    without_code,
)
from studyattn.exchange.memories import memory_of

_BULLET = re.compile(rf"^(?P<indent>[ \t]*){ITEM}(?:[ \t]+(?P<text>.*))?$")
_LISTED = re.compile(rf"^\s*{ITEM}\s")
_TAG = re.compile(r"(?<!\S)#([\w/-]+)(?!\S)")
_TAB: Final = 4
_DEEPEST: Final = 100
"""Levels of bullets. What is deeper is read as if it were at this level."""


@dataclass(slots=True)
class Node:
    """A bullet or a heading with its text, which may go on over rows, and what is below it."""

    line: int
    depth: int
    above: str = ""
    """The heading above a bullet; the title of the heading that a heading is below."""
    title: str = ""
    """The words of a heading; a bullet has only text."""
    rows: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    tags: frozenset[str] = frozenset()
    said: dict[str, str] = field(default_factory=dict)
    """Its properties, and the day for which it is planned."""
    drawers: dict[str, list[str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Its own text, without properties."""
        return "\n".join(self.rows).strip()

    def walk(self) -> Iterator[Node]:
        """Yield it and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

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


def nested(nodes: Iterable[Node]) -> Sequence[Node]:
    """Return the outermost of nodes that come in order, each with those below it."""
    outermost: list[Node] = []
    open_ones: list[Node] = []
    for node in nodes:
        while open_ones and open_ones[-1].depth >= node.depth:
            open_ones.pop()
        del open_ones[_DEEPEST:]
        (open_ones[-1].children if open_ones else outermost).append(node)
        node.above = node.above or (open_ones[-1].title if open_ones else "")
        open_ones.append(node)
    return outermost


def bullets(text: str, said: re.Pattern[str]) -> Iterator[Node]:
    """Yield the bullets of a text; `said` finds properties. A row at the margin ends a list."""
    heading = ""
    bullet: Node | None = None
    for row in rows_of(text):
        if found := _bullet(row):
            bullet = Node(row.line, len(found["indent"].expandtabs(_TAB)), heading)
            yield bullet
            words = found["text"] or ""
        elif bullet and (row.coded or (row.mark and row.text[:1].isspace())):
            words = _dedented(row.text, bullet.depth + 2)
        else:
            if row.mark:
                bullet, heading = None, row.heading or heading
            continue
        if property_ := said.match(words.strip()):
            bullet.said[property_["key"]] = (property_["value"] or "").strip()
        else:
            bullet.rows.append(words)


def _bullet(row: Row) -> re.Match[str] | None:
    """Return the bullet that a row begins; in code only the first row of a fence may be one."""
    found = _BULLET.match(row.text)
    fenced = found is None or (found["text"] or "").startswith(("```", "~~~"))
    return found if fenced or not row.coded else None


def _dedented(row: str, width: int) -> str:
    """Return a row without the indent of its bullet."""
    wide = row.expandtabs(_TAB)
    return wide[min(width, len(wide) - len(wide.lstrip())) :]


_NEVER = re.compile(r"(?!)")


class OutlineMarks:
    """The marks of a program of bullets, as its page of data has them."""

    def __init__(self, name: str) -> None:
        self.data = page_of(f"dialects/{name}.toml")
        marks = patterns_of(f"dialects/{name}.toml")
        self.gap = marks["gap"]
        self.card = marks.get("card")
        """What makes a card of a bullet; None where every bullet may be one."""
        self.between = marks.get("between", _NEVER)
        """The marks between the sides of a card."""
        self.said = marks.get("said", _NEVER)
        """Properties."""
        self.certain = marks.get("certain", self.card or _NEVER)
        """What no other program writes into a bullet."""

    def read(self, text: str, name: str) -> Reading:
        """Read the cards of a text."""
        stem = PurePath(name).stem.split("___")[-1]
        found = Reading(title=stem if self.card else "")
        for bullet in nested(bullets(text, self.said)):
            self._take(found, bullet, (bullet.above or stem,), stem)
        return found

    def _take(self, found: Reading, bullet: Node, above: Sequence[str], stem: str) -> None:
        """Read a bullet and those below it; `above` are the names of what it is below."""
        name = bullet.text
        if self.card is None:
            name = self._sides(found, bullet, above)
        elif self.card.search(masked(bullet.text)):
            places = self._below(found, bullet, stem)
            memories = [memory_of(bullet.said, self.data["memory"])] * len(places)
            found.learn(places, memories)
        elif self._gapped(bullet.text):
            found.leave(bullet.line, self.data["not_a_card"])
        for child in bullet.children:
            self._take(found, child, (*above, _plain(name)), stem)

    def _sides(self, found: Reading, bullet: Node, above: Sequence[str]) -> str:
        """Read the card that a mark within a bullet makes. Return the words before the mark."""
        words = bullet.text
        mark = self.between.search(masked(words))
        name = words[: mark.start()].strip() if mark else words.strip()
        topic = above[-1]
        if mark:
            kind = mark["mark"]
            back = words[mark.end() :].strip() or (bullet.below() if bullet.children else "")
            within = kind in self.data["aspects"] and len(above) > 1
            front = f"{topic}: {name}" if within else name
            both = kind in self.data["both"] and bool(name)
            sides = (back, front) if kind in self.data["backward"] else (front, back)
            found.basic(*sides, bullet.line, topic, reversed_too=both)
        elif whole := self._gapped(words):
            found.gaps(whole, bullet.line, topic)
        return name

    def _below(self, found: Reading, bullet: Node, topic: str) -> list[int]:
        """Read a bullet that is marked as a card."""
        words = self.card.sub("", bullet.text) if self.card else bullet.text
        tags = tuple(_TAG.findall(words))
        words = re.sub(r"^#{1,6}\s+", "", _TAG.sub("", words).strip())
        answer = bullet.below() if bullet.children else ""
        if whole := self._gapped(f"{words}\n\n{answer}".strip()):
            return found.gaps(whole, bullet.line, topic, tags=tags)
        return found.basic(words, answer, bullet.line, topic, tags=tags)

    def _gapped(self, text: str) -> str:
        return gapped(self.gap, text, together=self.data["gaps"] == "together")

    def recognises(self, _name: str, text: str) -> bool:
        """Return whether a bullet has a mark that no other program writes."""
        return any(
            _LISTED.match(row) and self.certain.search(without_code(row)) for row in unfenced(text)
        )


def _plain(name: str) -> str:
    return re.sub(r"[*_`]|\{\{|\}\}", "", name).strip()[:60]


LOGSEQ: Final = OutlineMarks("logseq")
REMNOTE: Final = OutlineMarks("remnote")
