"""Read a Markdown document into an outline with line numbers.

An outline keeps the Markdown of every section as it was written: what a section means (a card, a
note, a drill's hint) is decided in the rooms above. Lines count from 1, front matter included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from studyattn.errors import DocumentError
from studyattn.text.markdown import DISPLAY, parse_blocks, parse_inline, walk

if TYPE_CHECKING:
    from markdown_it.token import Token

_FOLD = re.compile(r"</?details\b", re.IGNORECASE)
_ATTRIBUTES = re.compile(r'(?:^|\s)\{((?:[^{}"]|"(?:\\.|[^"\\])*")*)\}\s*$')
_ATTRIBUTE = re.compile(
    r"""\s*(?:
        \#(?P<id>[^\s{}"#]+)
      | \.(?P<class>[^\s{}"]+)
      | (?P<key>[A-Za-z_][\w-]*)=(?:"(?P<quoted>(?:\\.|[^"\\])*)"|(?P<bare>[^\s{}"]+))
    )(?=\s|$)""",
    re.VERBOSE,
)
_CLOSING: Final = {"\\(": "\\)", **DISPLAY}
_MATHS_MARKS: Final = tuple(_CLOSING)


@dataclass(frozen=True, slots=True)
class Attributes:
    """The attributes `{#id .class key=value}` at the end of a heading."""

    id: str | None = None
    classes: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


class Section(NamedTuple):
    """A heading and the text under it."""

    level: int
    """1 for `#`, up to 6."""
    title: str
    """The heading's Markdown, without its attributes."""
    line: int
    """The line of the heading."""
    body: str
    """The Markdown between this heading and the next one of any level."""
    body_line: int
    """The line at which the body begins."""
    attributes: Attributes
    children: tuple[Section, ...]

    def walk(self) -> Iterator[Section]:
        """This section and all below it, in the order of the document."""
        yield self
        for child in self.children:
            yield from child.walk()

    def whole_body(self) -> str:
        """The body together with every section below, as Markdown."""
        parts = [self.body]
        below = (each for child in self.children for each in child.walk())
        parts.extend(f"{'#' * each.level} {each.title}\n\n{each.body}" for each in below)
        return "\n\n".join(part for part in parts if part).strip("\n")


class Unclosed(NamedTuple):
    """A code fence or formula that is opened and never closed."""

    line: int
    what: str
    """In words: "the code fence ```"."""
    closing: str
    """What would close it."""


class Document(NamedTuple):
    """A Markdown document as an outline."""

    name: str
    front_matter: Mapping[str, Any]
    """The YAML between the first `---` and the next, in types that JSON has."""
    title: str
    """Of the front matter, else of the only first-level heading that leads, else the name."""
    preamble: str
    """The Markdown before the first heading, without front matter."""
    preamble_line: int
    sections: tuple[Section, ...]
    lines: tuple[str, ...]
    """All lines of the document as they were read, front matter included."""
    unclosed: tuple[Unclosed, ...] = ()
    """Code fences, which end with their list item, quotation or the document, and formulas, which
    stay text.
    """

    def walk(self) -> Iterator[Section]:
        """Every section, in order."""
        for section in self.sections:
            yield from section.walk()


@dataclass(slots=True)
class _Heading:
    level: int
    text: str
    first: int  # first line of the heading, from 0
    after: int  # first line after it, from 0
    indent: int = 0  # columns by which the text of its list item is indented


def read_document(
    text: str, name: str, *, strict: bool = False, in_lists: bool = False
) -> Document:
    """The outline of a Markdown document; `name` is in messages, and the title if there is none.

    With `in_lists` a heading that begins an item of an outermost list is one of the document, with
    the item's number before its title: `1. ### What is a query?`. One in `<details>` is none if it
    is not below the heading before: it belongs to what that one folds away.

    Raises DocumentError, with `name:line`, when the front matter is not a YAML mapping. `strict`
    also refuses a code fence or a formula that is never closed: the rest of the document would
    vanish in it.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tokens = parse_blocks(text)
    lines = text.split("\n")
    unclosed = tuple(_unclosed(tokens, lines))
    if strict and unclosed:
        raise DocumentError(
            f"{unclosed[0].what} is never closed",
            where=f"{name}:{unclosed[0].line}",
            advice=f"Add {unclosed[0].closing} where it ends",
        )
    front_matter, body_line = _front_matter(tokens, name)
    headings = list(_headings(tokens, in_lists=in_lists))
    first = headings[0].first if headings else len(lines)
    return Document(
        name=name,
        front_matter=front_matter,
        title=_title(front_matter, headings, name),
        preamble=_trim(lines[body_line:first]),
        preamble_line=_first_line(lines, body_line, first),
        sections=_nest(headings, lines),
        lines=tuple(lines),
        unclosed=unclosed,
    )


def _unclosed(tokens: list[Token], lines: list[str]) -> Iterator[Unclosed]:
    for token in tokens:
        if token.type == "fence" and token.map:
            first, after = token.map
            last = lines[after - 1].lstrip(" \t>").rstrip() if after - 1 > first else ""
            if len(last) < len(token.markup) or last.strip(token.markup[0]):
                yield Unclosed(
                    first + 1, f"the code fence {token.markup}", f"a line {token.markup}"
                )
        elif token.type == "inline" and token.map:
            yield from _unclosed_formulas(token.content, token.map[0] + 1)


def _unclosed_formulas(content: str, line: int) -> Iterator[Unclosed]:
    """Yield the marks that open mathematics and are still plain text after reading."""
    if not any(mark in content for mark in _MATHS_MARKS):
        return
    for child in walk(parse_inline(content)):
        mark = _opening_mark(child)
        # \\[ is also how a bracket is written that begins no link.
        if mark is None or (mark == "\\[" and not content.lstrip().startswith(mark)):
            continue
        before = content[: max(content.rfind(mark), 0)]
        at = line + before.count("\n")
        yield Unclosed(at, f"the formula that starts with {mark}", _CLOSING[mark])


def _opening_mark(token: Token) -> str | None:
    if token.type == "text_special" and token.markup in {"\\(", "\\["}:
        return token.markup
    if token.type == "text" and "$$" in token.content:
        return "$$"
    return None


def parse_attributes(heading: str) -> tuple[str, Attributes]:
    r"""Part a heading into its text and its attributes.

    Braces that are not attributes, such as those of a set or of LaTeX, stay text.
    """
    match = _ATTRIBUTES.search(heading)
    if not match or not match[1].strip():
        return heading.strip(), Attributes()
    identifier: str | None = None
    classes: list[str] = []
    values: dict[str, str] = {}
    position, inside = 0, match[1].rstrip()
    while position < len(inside):
        one = _ATTRIBUTE.match(inside, position)
        if one is None:
            return heading.strip(), Attributes()
        if one["id"]:
            identifier = one["id"]
        elif one["class"]:
            classes.append(one["class"])
        else:
            quoted = one["quoted"]
            value = one["bare"] if quoted is None else re.sub(r'\\(["\\])', r"\1", quoted)
            values[one["key"]] = value
        position = one.end()
    return heading[: match.start()].strip(), Attributes(identifier, tuple(classes), values)


def _headings(tokens: list[Token], *, in_lists: bool) -> Iterator[_Heading]:
    """The headings of the document itself, not those inside a list or a quote."""
    level, folded = 0, _folded(tokens) if in_lists else set()
    for index, token in enumerate(tokens):
        if token.type != "heading_open" or not token.map:
            continue
        before, own = tokens[index - 1], int(token.tag[1:])
        in_list = in_lists and before.type == "list_item_open" and before.level == 1
        if (token.level and not in_list) or (index in folded and own <= level):
            continue
        level = own
        yield _heading(level, tokens[index + 1].content, token.map, before if in_list else None)


def _heading(level: int, text: str, lines: list[int], item: Token | None) -> _Heading:
    """Return a heading on these lines, after the mark of the list item in which it stands."""
    first, after = lines
    if item is None:
        return _Heading(level, text, first, after)
    mark = item.info + item.markup
    return _Heading(level, f"{mark} {text}" if item.info else text, first, after, len(mark) + 1)


def _folded(tokens: list[Token]) -> set[int]:
    """Return the places of tokens within `<details>`, where a heading is not of the document."""
    deeper = [0] * (len(tokens) + 1)
    opened: list[int] = []
    for index, token in enumerate(tokens):
        if token.type in {"html_block", "inline"}:
            for mark in _FOLD.findall(token.content):
                if not mark.startswith("</"):
                    opened += [index] if token.type == "html_block" else []
                elif opened:
                    deeper[opened.pop()] += 1
                    deeper[index] -= 1
    return {index for index, depth in enumerate(accumulate(deeper)) if depth}


def _nest(headings: list[_Heading], lines: list[str]) -> tuple[Section, ...]:
    """Fold the flat run of headings from the end, so that each finds its children made."""
    above: list[Section] = []
    for index in range(len(headings) - 1, -1, -1):
        heading = headings[index]
        end = headings[index + 1].first if index + 1 < len(headings) else len(lines)
        children: list[Section] = []
        while above and above[-1].level > heading.level:
            children.append(above.pop())
        title, attributes = parse_attributes(heading.text)
        above.append(
            Section(
                level=heading.level,
                title=title,
                line=heading.first + 1,
                body=_trim(_dedented(lines[heading.after : end], heading.indent)),
                body_line=_first_line(lines, heading.after, end),
                attributes=attributes,
                children=tuple(children),
            )
        )
    return tuple(reversed(above))


def _dedented(lines: list[str], indent: int) -> list[str]:
    """Return lines of a list item as they are outside of it."""
    return [re.sub(rf"^ {{0,{indent}}}", "", each) for each in lines] if indent else lines


def _title(front_matter: Mapping[str, Any], headings: list[_Heading], name: str) -> str:
    stated = front_matter.get("title")
    if isinstance(stated, str) and stated.strip():
        return stated.strip()
    if headings and headings[0].level == 1 and sum(each.level == 1 for each in headings) == 1:
        return parse_attributes(headings[0].text)[0] or name
    return name


def _front_matter(tokens: list[Token], name: str) -> tuple[dict[str, Any], int]:
    """The front matter, and the first line after it (from 0)."""
    if not tokens or tokens[0].type != "front_matter":
        return {}, 0
    # Late: few documents have one, and PyYAML takes as long to load as a command.
    from studyattn.text.front_matter import read_front_matter

    after = tokens[0].map[1] if tokens[0].map else 0
    return read_front_matter(tokens[0].content, name), after


def _first_line(lines: list[str], start: int, end: int) -> int:
    """The first line that is not blank, counted from 1."""
    return next((index for index in range(start, end) if lines[index].strip()), start) + 1


def _trim(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")
