"""Marks: comments on lines of their own that let a learning note be read back. Pure.

    <!-- studyattn card {"guid": "…", …} -->

    #### The question

    The answer.

    <!-- /studyattn -->

A reader of the document sees none of them. The text between a mark and its end is the thing's
own text; a text that cannot stand there as it is (it would swallow what follows, or lose something
on the way) is shown as well as it can be, and kept exactly in its mark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from studyattn.errors import DocumentError
from studyattn.exchange.documents.matching import digest
from studyattn.text.characters import CONTROL, without_controls
from studyattn.text.markdown import parse_blocks

_MARK = re.compile(r"<!-- studyattn ([a-z]+) (\{.*\}) -->")
_END: Final = "<!-- /studyattn -->"
_OURS = re.compile(r"<!-- /?studyattn\b")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_SUM_DIGITS: Final = 8
UNTITLED: Final = "(untitled)"


@dataclass(frozen=True, slots=True)
class Marked:
    """Something read back: what its mark says, its text, and whether that was changed by hand."""

    kind: str
    fields: Mapping[str, Any]
    title: str
    body: str
    line: int
    by_hand: bool


def mark(kind: str, fields: Mapping[str, Any]) -> str:
    """The line of a mark. Its JSON has no character that could end the comment early."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("--", "-\\u002d").replace(">", "\\u003e")
    text = CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return f"<!-- studyattn {kind} {text} -->"


def marked(
    kinds: Sequence[tuple[str, Mapping[str, Any]]], title: str, body: str, level: int
) -> list[str]:
    """The lines of something with a text: its marks, a heading of `level`, the body, the end.

    Several marks share one text. Of a title of several blocks (a question with code) the first is
    the heading, and the others stand before the body.
    """
    first, more = _blocks(title)
    heading = f"{'#' * level} {_one_line(first) or UNTITLED}"
    shown, deeper = _shown(f"{more}\n\n{body}" if more else body, level)
    text = [heading, "", *shown.split("\n")] if shown else [heading]
    kept: dict[str, Any] = {"sum": _sum("\n".join(text))}
    if deeper:
        kept["deeper"] = deeper
    read_title, read_body = _read_text("\n".join(text), deeper)
    if read_title != title:
        kept["title"] = title
    if read_body != body:
        kept["body"] = body
    marks = [mark(kind, {**fields, **kept}) for kind, fields in kinds]
    return [*marks, "", *text, "", _END, ""]


def read_marks(lines: Sequence[str], name: str) -> Iterator[Marked]:
    """Everything that is marked, in order.

    Raises DocumentError with `name:line` for a mark that cannot be read or is never ended.
    """
    waiting: list[tuple[str, Mapping[str, Any], int]] = []
    text: list[str] = []
    for number, row in enumerate(lines, start=1):
        if row.rstrip() == _END:
            for kind, fields, line in waiting:
                yield _marked(kind, fields, text, line, f"{name}:{line}")
            waiting = []
        elif _OURS.match(row):
            kind, fields = _read_mark(row, f"{name}:{number}")
            if fields.get("bare"):
                yield Marked(kind, fields, "", "", number, by_hand=False)
                continue
            if any(each.strip() for each in text) and waiting:
                break
            waiting.append((kind, fields, number))
            text = []
        else:
            text.append(row)
    if waiting:
        raise DocumentError(
            "the text after this mark has no end mark",
            where=f"{name}:{waiting[0][2]}",
            advice=f"Add a line {_END} after its text",
        )


def fenced(code: str, language: str = "") -> str:
    """Text in a fence that is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def below(body: str, level: int) -> str:
    """The body as it can stand below a heading of `level` without swallowing what follows."""
    return _shown(body, level)[0]


def lowered_below(body: str, level: int) -> tuple[str, int]:
    """Return what `below` does, and by how many levels the body's own headings went down."""
    return _shown(body, level)


def _blocks(title: str) -> tuple[str, str]:
    """Return the heading of a title, and the text below it."""
    first, _, more = title.strip().partition("\n\n")
    return first, more.strip("\n")


def _one_line(text: str) -> str:
    return " ".join(without_controls(text).split())


def _sum(text: str) -> str:
    return digest(text)[:_SUM_DIGITS]


def _shown(body: str, level: int) -> tuple[str, int]:
    """The body as it can stand below a heading of `level`, and by how much its own went down."""
    clean = without_controls(body).strip("\n")
    lowered, deeper = _lowered(clean, level)
    if _contained(lowered):
        return lowered, deeper
    # A row that would read as one of our marks is indented, so that it does not.
    return fenced("\n".join(f" {row}" if _OURS.match(row) else row for row in clean.split("\n"))), 0


def _lowered(body: str, level: int) -> tuple[str, int]:
    """The body with its headings below `level`, as far down as headings go."""
    tokens = [
        (token, token.map)
        for token in parse_blocks(body)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    if not tokens:
        return body, 0
    deeper = max(0, level + 1 - min(int(token.tag[1:]) for token, _ in tokens))
    rows = body.split("\n")
    for token, (first, after) in reversed(tokens):
        marks = "#" * min(6, int(token.tag[1:]) + deeper)
        words = " ".join(row.strip() for row in rows[first:after])
        if token.markup[0] == "#":
            words = words.lstrip("#").strip()
        else:
            words = " ".join(row.strip() for row in rows[first : after - 1])
        rows[first:after] = [f"{marks} {words}"]
    return "\n".join(rows), deeper


def _raised(body: str, deeper: int) -> str:
    rows = body.split("\n")
    if deeper:
        for token in parse_blocks(body):
            if token.type == "heading_open" and token.level == 0 and token.map:
                rows[token.map[0]] = rows[token.map[0]][deeper:]
    return "\n".join(rows)


def _contained(body: str) -> bool:
    """Return whether what follows the body is read correctly."""
    rows = body.split("\n")
    if any(_OURS.match(row) for row in rows):
        return False
    tokens = parse_blocks(f"# probe\n\n{body}\n\n{_END}\n\n# probe\n")
    ends = [token for token in tokens if token.type == "heading_open" and token.level == 0]
    if not ends or not ends[-1].map or ends[-1].map[0] != len(rows) + 5:
        return False
    comments = [token for token in tokens if token.type == "html_block" and token.map]
    return any(token.map[0] == len(rows) + 3 for token in comments if token.map)


def _read_mark(row: str, where: str) -> tuple[str, Mapping[str, Any]]:
    match = _MARK.fullmatch(row.rstrip())
    fields: Any = None
    if match:
        try:
            fields = json.loads(match[2])
        except (ValueError, RecursionError):
            fields = None
    if match is None or not isinstance(fields, dict):
        raise DocumentError(
            "this learning note marker cannot be read",
            where=where,
            advice="Export the note again",
        )
    return match[1], fields


def _marked(
    kind: str, fields: Mapping[str, Any], rows: Sequence[str], line: int, where: str
) -> Marked:
    text = "\n".join(rows).strip("\n")
    deeper = fields.get("deeper", 0)
    if not isinstance(deeper, int) or not 0 <= deeper <= 6:
        raise DocumentError("this learning note marker cannot be read", where=where)
    title, body = _read_text(text, deeper)
    by_hand = fields.get("sum") != _sum(text)
    before = str(fields.get("title", title))
    if not by_hand:
        title, body = before, str(fields.get("body", body))
    first, more = _blocks(before)
    if by_hand and more and title == _one_line(first) and body.startswith(more):
        title, body = before, body.removeprefix(more).strip("\n")
    return Marked(kind, fields, title, body, line, by_hand)


def _read_text(text: str, deeper: int) -> tuple[str, str]:
    """The title and the body of a marked text."""
    first, _, rest = text.partition("\n")
    heading = _HEADING.fullmatch(first)
    if heading is None:
        return "", text
    return heading[2].strip(), _raised(rest.strip("\n"), deeper)
