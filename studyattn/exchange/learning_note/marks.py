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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

import msgspec
from markdown_it.token import Token

from studyattn.errors import DocumentError
from studyattn.exchange.words import digest
from studyattn.text.characters import CONTROL, without_controls
from studyattn.text.cloze import Deletion, deletions, replaced
from studyattn.text.markdown import parse_blocks

_MARK = re.compile(r"<!-- studyattn ([a-z]+) (\{.*\}) -->")
_END: Final = "<!-- /studyattn -->"
_ANSWER: Final = "<!-- answer -->"
"""The row between a question of several blocks, of which the first is the heading, and its body."""
_OURS = re.compile(r"^(?=<!-- /?studyattn\b)", re.MULTILINE)
"""The beginning of a row that would be read as one of our marks."""
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_WORDS = re.compile(r"[^\W\d_][^\n\t]*")
"""One row that begins with a letter: a paragraph, whatever is in it. Most answers of decks are one,
and reading them as Markdown takes half of an export's time.
"""
_SUM_DIGITS: Final = 8
UNTITLED: Final = "(untitled)"


@dataclass(frozen=True, slots=True)
class Marked:
    """Something read back: what its mark says, its text, and whether that was changed by hand."""

    kind: str
    fields: Mapping[str, Any]
    title: str
    body: str
    where: str
    by_hand: bool


def mark(kind: str, fields: Mapping[str, Any]) -> str:
    """The line of a mark. Its JSON has no character that could end the comment early."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("--", "-\\u002d").replace(">", "\\u003e")
    text = CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return f"<!-- studyattn {kind} {text} -->"


def marked(
    kinds: Sequence[tuple[str, Mapping[str, Any]]],
    title: str,
    body: str,
    level: int,
    shown: Callable[[str], str] = str,
) -> list[str]:
    """The lines of something with a text: its marks, a heading of `level`, the body, the end.

    Several marks share one text. Of a title of several blocks (a question with code) the first is
    the heading, and the others stand before the body. `shown` says how a text is written.
    """
    first, _, more = title.strip().partition("\n\n")
    more = more.strip("\n")
    words = without_controls(shown(first)).split()
    heading = f"{'#' * level} {' '.join(words) or UNTITLED}"
    below_it, deeper = lowered(
        f"{shown(more)}\n\n{_ANSWER}\n\n{shown(body)}" if more else shown(body), level
    )
    text = "\n".join([heading, "", *below_it.split("\n")] if below_it else [heading])
    kept: dict[str, Any] = {"sum": _sum(text)}
    if deeper:
        kept["deeper"] = deeper
    for name, said, read in zip(
        ("title", "body"), (title, body), _read_text(text, deeper), strict=True
    ):
        if said != read:
            kept |= {name: said, f"{name}-sum": _sum(read)}
    marks = [mark(kind, {**fields, **kept}) for kind, fields in kinds]
    return [*marks, "", *text.split("\n"), "", _END, ""]


def read_marks(lines: Sequence[str], name: str, rest: list[list[str]]) -> Iterator[Marked]:
    """Everything that is marked, in order; `rest` gets the runs of rows that are not.

    Raises DocumentError with `name:line` for a mark that cannot be read or is never ended.
    """
    waiting: list[tuple[str, Mapping[str, Any], str]] = []
    text: list[str] = []
    rest.append(text)
    for number, row in enumerate(lines, start=1):
        if row.rstrip() == _END:
            yield from (_marked(*each, text) for each in waiting)
            waiting, text = [], []
            rest.append(text)
        elif _OURS.match(row):
            where = f"{name}:{number}"
            kind, fields = _read_mark(row, where)
            if fields.get("bare"):
                yield Marked(kind, fields, "", "", where, by_hand=False)
                continue
            if any(each.strip() for each in text) and waiting:
                break
            waiting.append((kind, fields, where))
            text = []
        else:
            text.append(row)
    if waiting:
        raise DocumentError(
            "the text after this mark has no end mark",
            where=waiting[0][2],
            advice=f"Add a line {_END} after its text",
        )


def refuse(problem: str, where: str) -> NoReturn:
    """Raise DocumentError for a mark that cannot be read."""
    raise DocumentError(
        f"this learning note marker cannot be read{problem and ': '}{problem}",
        where=where,
        advice="Export the note again",
    )


def fenced(code: str, language: str = "") -> str:
    """Text in a fence that is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def lowered(body: str, level: int) -> tuple[str, int]:
    """The body as it can stand below a heading of `level`, and by how much its own went down.

    It swallows nothing of what follows.
    """
    clean = without_controls(body).strip("\n")
    if _WORDS.fullmatch(clean):
        return clean, 0
    rows, headings = clean.split("\n"), _headings(parse_blocks(clean))
    highest = min((int(token.tag[1:]) for token, *_ in headings), default=level + 1)
    deeper = max(0, level + 1 - highest)
    for token, first, after in reversed(headings):
        signs = "#" * min(6, int(token.tag[1:]) + deeper)
        is_atx = token.markup[0] == "#"
        words = " ".join(row.strip() for row in rows[first : after if is_atx else after - 1])
        rows[first:after] = [f"{signs} {words.lstrip('#').strip() if is_atx else words}"]
    text = "\n".join(rows)
    if _contained(text):
        return text, deeper
    return fenced(_OURS.sub(" ", clean)), 0


def _headings(tokens: Iterable[Token]) -> list[tuple[Token, int, int]]:
    """Return the headings of a text that are in nothing else, each with its rows."""
    return [
        (token, token.map[0], token.map[1])
        for token in tokens
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def _sum(text: str) -> str:
    return digest(text)[:_SUM_DIGITS]


def _raised(body: str, deeper: int) -> str:
    rows = body.split("\n")
    for _, first, _ in _headings(parse_blocks(body)) if deeper else ():
        rows[first] = rows[first][deeper:]
    return "\n".join(rows)


def _contained(body: str) -> bool:
    """Return whether what follows the body is read correctly."""
    if _OURS.search(body):
        return False
    end = body.count("\n") + 4
    tokens = parse_blocks(f"# probe\n\n{body}\n\n{_END}\n\n# probe\n")
    comments = [token.map[0] for token in tokens if token.type == "html_block" and token.map]
    return end in comments and _headings(tokens)[-1][1] == end + 2


def _read_mark(row: str, where: str) -> tuple[str, Mapping[str, Any]]:
    match = _MARK.fullmatch(row.rstrip())
    try:
        fields = msgspec.json.decode(match[2]) if match else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        fields = None
    if match is None or not isinstance(fields, dict):
        refuse("", where)
    return match[1], fields


def _marked(kind: str, fields: Mapping[str, Any], where: str, rows: Sequence[str]) -> Marked:
    text = "\n".join(rows).strip("\n")
    deeper = fields.get("deeper", 0)
    if not isinstance(deeper, int) or not 0 <= deeper <= 6:
        refuse("", where)
    by_hand = fields.get("sum") != _sum(text)
    title, body = (
        _said(fields, name, read, where, by_hand=by_hand)
        for name, read in zip(("title", "body"), _read_text(text, deeper), strict=True)
    )
    return Marked(kind, fields, title, body, where, by_hand)


def _said(fields: Mapping[str, Any], name: str, read: str, where: str, *, by_hand: bool) -> str:
    """Return a text as its mark keeps it, or as it is now where it was changed by hand."""
    kept = fields.get(name)
    if not isinstance(kept, str):
        return read
    if not by_hand or fields.get(f"{name}-sum") == _sum(read):
        return kept
    return _numbered(read, kept, where)


def _numbered(text: str, before: str, where: str) -> str:
    """Return a text whose gaps have the numbers and hints that they had before."""
    old, new = deletions(before), deletions(text)
    if not any(each.group != 1 or each.hint for each in old):
        return text
    if len(old) != len(new):
        raise DocumentError(
            f"the text has {len(new)} gaps instead of {len(old)}, which belong to different cards",
            where=where,
            advice="Keep the number of gaps here; change it by editing the card in the app",
        )
    known = iter(old)

    def again(gap: Deletion) -> str:
        was = next(known)
        return f"=={was.group}|{gap.text}{was.hint and '::'}{was.hint}=="

    return replaced(text, again)


def _read_text(text: str, deeper: int) -> tuple[str, str]:
    """The title and the body of a marked text."""
    first, _, rest = text.partition("\n")
    heading = _HEADING.fullmatch(first)
    if heading is None:
        return "", text
    title, body = heading[2].strip(), _raised(rest.strip("\n"), deeper)
    more, parted, answer = f"{body}\n".partition(f"\n\n{_ANSWER}\n")
    return (f"{title}\n\n{more}", answer.strip("\n")) if parted else (title, body)
