"""Cards in files of Emacs' Org mode: those of org-drill, org-fc, anki-editor and org-anki.

A file is an outline of headings with tags, properties and text. `org.toml` says by which tag or
property each program marks a card, and what its types of cards do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from studyattn.exchange.documents.dialects.dialect import Reading
from studyattn.exchange.documents.dialects.outlines import Node, nested
from studyattn.exchange.documents.names import page_of, patterns_of
from studyattn.exchange.documents.rows import gapped
from studyattn.exchange.memories import LearnedBefore, memory_of

_PAGE: Final = page_of("dialects/org.toml")
_MARKS: Final = patterns_of("dialects/org.toml")
_LEECH: Final = "leech"
_LEVELS: Final = 6  # that a heading of Markdown may have


def headings(text: str) -> Iterator[Node]:
    """Yield the headings of a file."""
    node = Node(1, 0)  # what is before the first
    for number, line in enumerate(_lines(text), start=1):
        if line.heading:
            tags = frozenset(filter(None, (line.heading["tags"] or "").split(":")))
            depth = len(line.heading["stars"])
            node = Node(number, depth, title=_title(line.heading), tags=tags)
            yield node
        elif line.drawer == "PROPERTIES" and (found := _MARKS["field"].match(line.row)):
            node.said[found["key"].upper()] = found["value"]
        elif line.drawer:
            node.drawers.setdefault(line.drawer, []).append(line.row)
        elif line.shown is not None:
            node.rows.append(line.shown)
        elif _MARKS["planned"].match(line.row.strip()):
            node.said.update(
                {each["key"]: each["value"] for each in _MARKS["planned"].finditer(line.row)}
            )


# -- the cards of a program ------------------------------------------------------------------------

Sides = Sequence[tuple[str, str]]
"""The headings below a card that have a text, with it."""


def read(text: str, name: str) -> Reading:
    said = _MARKS["title"].search(text)
    found = Reading(title=said[1] if said else PurePath(name).stem)
    programs = [Program(each, found) for each in _PAGE["program"]]
    for outermost in nested(headings(text)):
        for node in outermost.walk():
            if program := next((each for each in programs if each.has(node)), None):
                program.read(node)
    return found


@dataclass(frozen=True)
class Program:
    """The marks of one program's cards, as the page has them, and the cards found."""

    data: Mapping[str, Any]
    found: Reading

    def has(self, node: Node) -> bool:
        """Return whether a heading is a card of the program."""
        named = any(each in node.said for each in self.data.get("property", ()))
        return named or self.data.get("tag") in node.tags

    def read(self, node: Node) -> None:
        """Read one card."""
        kind = node.said.get(self.data.get("type", ""), "").strip().casefold()
        does = self.data["types"].get(kind)
        if does is None:
            self.found.leave(node.line, f"the card type {kind} is not read")
            return
        own = [each for each in node.children if not self.has(each)]
        sides = [(each.title, text) for each in own if (text := self._below(each))]
        card = {
            "line": node.line,
            "topic": node.above or self.found.title,
            "tags": tuple(sorted(node.tags - {self.data.get("tag"), _LEECH})),
        }
        if does in {"two", "all"}:
            places = self._sided(node, sides[:2] if does == "two" else sides, card)
        else:
            places = self._plain(node, sides, does, card)
        memories = self._memories(node)
        self.found.learn(places, memories * len(places) if len(memories) == 1 else memories)

    def _plain(self, node: Node, sides: Sides, does: str, card: Mapping[str, Any]) -> list[int]:
        """Read a card of a question and its answer, or of a text with gaps."""
        gap = re.compile(self.data["gap"], re.DOTALL)
        named = dict(sides)
        front = next((named[each] for each in self.data.get("front", ()) if each in named), "")
        text = front or node.text
        whole = gapped(gap, text, together=does != "each")
        if whole or does == "each":
            whole = whole or gapped(gap, f"{node.title}\n\n{text}")
            return self.found.gaps(whole, **card, below="" if front else _listed(sides))
        front, back = self._front_and_back(node, sides, front)
        if not back.strip():
            why = "neither a gap in [brackets] nor a heading with the answer below it"
            self.found.leave(node.line, why)
            return []
        return self.found.basic(front, back, **card, reversed_too=does == "both")

    def _front_and_back(self, node: Node, sides: Sides, front: str) -> tuple[str, str]:
        """Return question and answer, by the names of the headings below or by their places."""
        back = dict(sides).get(self.data.get("back", ""), "")
        if front:
            return front, back or node.text
        if "back" in self.data:  # without a heading for it, the text is the answer
            rest = [each for each in sides if each[1] != back]
            asked = f"{node.title}\n\n{node.text}" if back else node.title
            return asked, back or f"{node.text}\n\n{_listed(rest)}"
        own = [each.title for each in node.children if not self.has(each)]
        is_asked = node.text and node.title.endswith("?")
        asked = f"{node.title}\n\n{node.text}" if is_asked else node.text or node.title
        return asked, f"{sides[0][1]}\n\n{_listed(sides[1:])}" if sides else "\n\n".join(own)

    def _sided(self, node: Node, sides: Sides, card: Mapping[str, Any]) -> list[int]:
        """Ask from each side for the others."""
        if len(sides) < 2:
            self.found.leave(node.line, "a two-sided card with fewer than two headings below it")
            return []
        places: list[int] = []
        for at, (title, text) in enumerate(sides):
            others = [*sides[:at], *sides[at + 1 :]]
            front = f"{node.text}\n\n**{title}:** {text}"
            back = others[0][1] if len(others) == 1 else _listed(others)
            places += self.found.basic(front, back, **card)
        self.found.kinds["reversed"] += len(sides) - 1
        return places

    def _below(self, node: Node) -> str:
        """Return the text of a heading with what is below it, except cards of their own."""
        own = (each for each in node.children if not self.has(each))
        parts = (f"**{each.title}**\n\n{self._below(each)}".strip() for each in own)
        return "\n\n".join(filter(None, (node.text, *parts)))

    def _memories(self, node: Node) -> list[LearnedBefore | None]:
        """Return the memory of a card; of one with a table, those of its positions."""
        names = self.data.get("memory")
        if names is None:
            return []
        if "table" not in names:
            return [memory_of(node.said, names)]
        table = (row.strip() for row in node.drawers.get(names["table"], ()))
        rows = [
            [cell.strip() for cell in row.strip("|").split("|")]
            for row in table
            if row.startswith("|") and not row.startswith("|-")
        ]
        return [memory_of(dict(zip(rows[0], row, strict=False)), names) for row in rows[1:]]


def _listed(sides: Sides) -> str:
    return "\n\n".join(f"**{title}:** {text}" for title, text in sides)


# -- from Org's marks to Markdown's ----------------------------------------------------------------


class _Line(NamedTuple):
    """A row of a file."""

    row: str
    shown: str | None = None
    """The row as Markdown; None for one that shows nothing."""
    heading: re.Match[str] | None = None
    drawer: str = ""
    """The drawer that it is in."""


def _lines(text: str) -> Iterator[_Line]:
    """Yield the rows of a file, each with what it is."""
    block = drawer = ""
    for row in text.split("\n"):
        if block:
            ends = _MARKS["block_end"].match(row) is not None
            yield _Line(row, _quoted(row, "```" if ends else row, block, edge=ends))
            block = "" if ends else block
        elif begins := _MARKS["block"].match(row):
            block = begins["kind"].casefold()
            words = begins["rest"].split() if block == "src" else []
            yield _Line(row, _quoted(row, "".join(["```", *words[:1]]), block, edge=True))
        elif heading := _MARKS["heading"].match(row):
            drawer = ""
            marks = "#" * min(len(heading["stars"]), _LEVELS)
            yield _Line(row, f"{marks} {_title(heading)}", heading)
        elif drawer:
            yield _Line(row, drawer=drawer)
            drawer = "" if row.strip().upper() == ":END:" else drawer
        elif opens := _MARKS["drawer"].match(row):
            drawer = opens["name"].upper()
            yield _Line(row, drawer=drawer)
        elif _MARKS["keyword"].match(row) or _MARKS["planned"].match(row.strip()):
            yield _Line(row)
        else:
            yield _Line(row, _inline(row if row.lstrip().startswith(("-", "+")) else row.strip()))


def _quoted(row: str, shown: str, block: str, *, edge: bool) -> str | None:
    """Return a row of a block as Markdown: of code as it is, of a quotation behind its sign."""
    if block != "quote":
        return shown
    return None if edge else f"> {row.strip()}"


def whole_as_markdown(text: str) -> str:
    """Return a whole file as Markdown with as many rows, for what is no card of a program."""
    return "\n".join(line.shown or "" for line in _lines(text))


def _title(heading: re.Match[str]) -> str:
    return _inline(_MARKS["todo"].sub("", heading["title"]))


def _inline(row: str) -> str:
    row = _MARKS["link"].sub(
        lambda found: f"[{found['text'] or found['address']}]({found['address']})", row
    )
    for name, replacement in _PAGE["emphasis"].items():
        row = _MARKS[name].sub(replacement, row)
    return row
