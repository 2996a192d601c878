"""Cards in files of Emacs' Org mode: those of org-drill, org-fc, anki-editor and org-anki.

A file is an outline of headings with tags, properties and text. `org.toml` says by which tag or
property each program marks a card, and what its types of cards do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final, NamedTuple

from studyattn.exchange.documents.dialects.dialect import Collected, memory_of
from studyattn.exchange.documents.draft import LearnedBefore, Reading
from studyattn.exchange.documents.names import page_of
from studyattn.exchange.documents.rows import has_gap, numbered

_LINK = re.compile(r"\[\[(?P<address>[^\[\]]+)\](?:\[(?P<text>[^\[\]]+)\])?\]")
_EMPHASIS: Final = (
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"**\1**"),
    (re.compile(r"(?<![\w/:])/(?=\S)([^/\n]+?)(?<=\S)/(?![\w/])"), r"*\1*"),
    (re.compile(r"(?<![\w=~])([=~])(?=\S)([^\n]+?)(?<=\S)\1(?![\w=~])"), r"`\2`"),
)
_TITLE = re.compile(r"^#\+TITLE:[ \t]*(\S.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(r"^(?P<stars>\*+)\s+(?P<title>.*?)(?:\s+(?P<tags>:[\w@#%:-]+:))?\s*$")
_TODO = re.compile(r"^(?:TODO|DONE)\s+|\[#[A-Z]\]\s+")
_DRAWER = re.compile(r"^\s*:(?P<name>[\w-]+):\s*$")
_FIELD = re.compile(r"^\s*:(?P<key>[\w-]+):\s+(?P<value>.*?)\s*$")
_PLANNED = re.compile(r"(?P<key>SCHEDULED|DEADLINE|CLOSED):\s*(?P<value>[<\[][^>\]]*[>\]])\s*")
_BLOCK = re.compile(r"^\s*#\+begin_(?P<kind>\w+)[ \t]*(?P<rest>.*)$", re.IGNORECASE)
_BLOCK_END = re.compile(r"^\s*#\+end_\w+\s*$", re.IGNORECASE)
_KEYWORD = re.compile(r"^\s*(?:#(?:\s|\+\w+:)|#$)")
_LEECH: Final = "leech"
_LEVELS: Final = 6  # that a heading of Markdown may have


@dataclass(slots=True)
class Node:
    """One heading with its tags, properties and text, and the headings below it."""

    line: int
    depth: int
    title: str
    tags: frozenset[str] = frozenset()
    above: str = ""
    """The title of the heading above it."""
    said: dict[str, str] = field(default_factory=dict)
    """Its properties, and the day for which it is planned."""
    drawers: dict[str, list[str]] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    @property
    def body(self) -> str:
        """Its own text as Markdown."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.rows)).strip()

    def walk(self) -> Iterator[Node]:
        """Yield it and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def outline(text: str) -> Node:
    """Return the outline of a file: a node for what is before the first heading, with the rest."""
    root = Node(1, 0, "")
    open_ones = [root]
    for number, line in enumerate(_lines(text), start=1):
        node = open_ones[-1]
        if line.heading:
            depth = len(line.heading["stars"])
            while open_ones[-1].depth >= depth:
                open_ones.pop()
            tags = frozenset(filter(None, (line.heading["tags"] or "").split(":")))
            node = Node(number, depth, _title(line.heading), tags, open_ones[-1].title)
            open_ones[-1].children.append(node)
            open_ones.append(node)
        elif line.drawer == "PROPERTIES" and (found := _FIELD.match(line.row)):
            node.said[found["key"].upper()] = found["value"]
        elif line.drawer:
            node.drawers.setdefault(line.drawer, []).append(line.row)
        elif line.shown is not None:
            node.rows.append(line.shown)
        elif _PLANNED.match(line.row.strip()):
            node.said.update({each["key"]: each["value"] for each in _PLANNED.finditer(line.row)})
    return root


# -- the cards of a program ------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """The marks of one program's cards, as the page has them."""

    data: Mapping[str, Any]

    def has(self, node: Node) -> bool:
        """Return whether a heading is a card of the program."""
        named = any(each in node.said for each in self.data.get("property", ()))
        return named or self.data.get("tag") in node.tags

    def read(self, found: Collected, node: Node, topic: str) -> None:
        """Read one card."""
        kind = node.said.get(self.data.get("type", ""), "").strip().casefold()
        does = self.data["types"].get(kind)
        if does is None:
            found.leave(node.line, f"the card type {kind} is not read")
            return
        own = [each for each in node.children if not self.has(each)]
        sides = [(each.title, text) for each in own if (text := _below(each, self))]
        tags = tuple(sorted(node.tags - {self.data.get("tag"), _LEECH}))
        card = _Card(found, self, node, topic, tags)
        places = card.sided(sides, does) if does in {"two", "all"} else card.plain(sides, does)
        memories = self._memories(node)
        learned = [*memories] * len(places) if len(memories) == 1 else memories
        found.learn(places, learned)

    @property
    def gap(self) -> re.Pattern[str]:
        """Return the pattern of a gap."""
        return re.compile(self.data["gap"], re.DOTALL)

    def _memories(self, node: Node) -> Sequence[LearnedBefore | None]:
        """Return the memory of a card; of one with a table, those of its positions."""
        names = self.data.get("memory")
        if names is None:
            return []
        if "table" not in names:
            return [memory_of(node.said, names)]
        rows = [
            [cell.strip() for cell in row.strip().strip("|").split("|")]
            for row in node.drawers.get(names["table"], ())
            if row.strip().startswith("|") and not row.strip().startswith("|-")
        ]
        return [memory_of(dict(zip(rows[0], row, strict=False)), names) for row in rows[1:]]


@dataclass(frozen=True, slots=True)
class _Card:
    """One card while it is read."""

    found: Collected
    program: Program
    node: Node
    topic: str
    tags: tuple[str, ...]

    def plain(self, sides: Sequence[tuple[str, str]], does: str) -> list[int]:
        """Read a card of a question and its answer, or of a text with gaps."""
        body, heading, line = self.node.body, self.node.title, self.node.line
        named = dict(sides)
        fronts = [named[each] for each in self.program.data.get("front", ()) if each in named]
        text = next(iter(fronts), body)
        if has_gap(self.program.gap, text) or does == "each":
            whole = text if has_gap(self.program.gap, text) else f"{heading}\n\n{text}".strip()
            below = "" if fronts else _listed(sides)
            gapped = numbered(self.program.gap, whole, together=does != "each")
            return self.found.gaps(gapped, line, self.topic, tags=self.tags, below=below)
        front, back = self._sides(heading, body, fronts, sides)
        if not front or not back:
            self.found.leave(
                line, "neither a gap in [brackets] nor a heading with the answer below it"
            )
            return []
        both = does == "both"
        return self.found.basic(front, back, line, self.topic, tags=self.tags, reversed_too=both)

    def _sides(
        self,
        heading: str,
        body: str,
        fronts: Sequence[str],
        sides: Sequence[tuple[str, str]],
    ) -> tuple[str, str]:
        """Return the question and the answer: named, or by their places."""
        back = dict(sides).get(self.program.data.get("back", ""), "")
        rest = [each for each in sides if each[1] not in {back, *fronts}]
        if fronts:
            return fronts[0], back or body
        if "back" in self.program.data:  # without a heading for it, the text is the answer
            front = f"{heading}\n\n{body}" if back and body else heading
            return front, back or "\n\n".join(filter(None, (body, _listed(rest))))
        front = f"{heading}\n\n{body}" if body and heading.endswith("?") else body or heading
        if sides:
            return front, "\n\n".join(filter(None, (sides[0][1], _listed(sides[1:]))))
        titles = [each.title for each in self.node.children if not self.program.has(each)]
        return front, "\n\n".join(titles)

    def sided(self, sides: Sequence[tuple[str, str]], does: str) -> list[int]:
        """Ask from each side for the others."""
        sides = sides[:2] if does == "two" else sides
        if len(sides) < 2:
            self.found.leave(
                self.node.line, "a two-sided card with fewer than two headings below it"
            )
            return []
        places: list[int] = []
        for at, (title, text) in enumerate(sides):
            others = [each for place, each in enumerate(sides) if place != at]
            front = f"{self.node.body}\n\n**{title}:** {text}".strip()
            back = others[0][1] if len(others) == 1 else _listed(others)
            places += self.found.basic(front, back, self.node.line, self.topic, tags=self.tags)
        self.found.kinds["reversed"] += len(sides) - 1
        return places


def _listed(sides: Sequence[tuple[str, str]]) -> str:
    return "\n\n".join(f"**{title}:** {text}" for title, text in sides)


def _below(node: Node, program: Program) -> str:
    """Return the text of a heading with what is below it, except cards of their own."""
    parts = [node.body]
    parts += [
        f"**{each.title}**\n\n{_below(each, program)}".strip()
        for each in node.children
        if not program.has(each)
    ]
    return "\n\n".join(part for part in parts if part)


def read(text: str, name: str) -> Reading:
    root = outline(text)
    programs = [Program(each) for each in page_of("dialects/org.toml")["program"]]
    found = Collected()
    said = _TITLE.search(text)
    stem = said[1] if said else PurePath(name).stem
    for node in root.walk():
        program = next((each for each in programs if each.has(node)), None)
        if program is not None:
            program.read(found, node, node.above or stem)
    return found.reading(stem)


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
            ends = _BLOCK_END.match(row) is not None
            yield _Line(row, _quoted(row, "```" if ends else row, block, edge=ends))
            block = "" if ends else block
        elif begins := _BLOCK.match(row):
            block = begins["kind"].casefold()
            words = begins["rest"].split() if block == "src" else []
            yield _Line(row, _quoted(row, "".join(["```", *words[:1]]), block, edge=True))
        elif heading := _HEADING.match(row):
            drawer = ""
            marks = "#" * min(len(heading["stars"]), _LEVELS)
            yield _Line(row, f"{marks} {_title(heading)}", heading)
        elif drawer:
            yield _Line(row, drawer=drawer)
            drawer = "" if row.strip().upper() == ":END:" else drawer
        elif opens := _DRAWER.match(row):
            drawer = opens["name"].upper()
            yield _Line(row, drawer=drawer)
        elif _KEYWORD.match(row) or _PLANNED.match(row.strip()):
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
    return _inline(_TODO.sub("", heading["title"]))


def _inline(row: str) -> str:
    row = _LINK.sub(lambda found: f"[{found['text'] or found['address']}]({found['address']})", row)
    for pattern, replacement in _EMPHASIS:
        row = pattern.sub(replacement, row)
    return row
