"""Cards that rows of their own begin or part: `?`, `%`, START and END, a block of code.

A row that touches a text parts a paragraph from the next one. A row that stands alone parts all
that is between two rules, or below a heading, which belongs to the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import yaml

from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.names import field_of
from studyattn.exchange.documents.rows import rows_of
from studyattn.text.front_matter import PlainLoader
from studyattn.text.markdown import parse_blocks

PARTS: Final = {"?": False, "??": True, "%": False, "↪": False, ":question:": False}
"""The rows between two sides, and whether the card is asked both ways."""
_RULE = re.compile(r"^\s{0,3}([-*_])(?:\s*\1){2,}\s*$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(?P<title>.+?)\s*#*\s*$")
_FIELD = re.compile(r"^(?P<name>[^\W\d_][\w ]{0,30}):\s*(?P<text>.*)$")
_CODED = re.compile(r"(?:anki|(?:flash|anki-?)?cards?|quiz)\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    text: str
    coded: bool

    @property
    def blank(self) -> bool:
        return not self.coded and not self.text.strip()

    @property
    def parts(self) -> bool:
        return not self.coded and self.text.strip() in PARTS

    @property
    def is_rule(self) -> bool:
        return not self.coded and _RULE.match(self.text) is not None

    @property
    def is_heading(self) -> bool:
        return not self.coded and _HEADING.match(self.text) is not None


def separated(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards whose sides a row parts."""
    rows = [_Row(*each) for each in rows_of(text)]
    middles = [at for at, row in enumerate(rows) if row.parts]
    begins = [
        _begin(rows, middle, before + 1)
        for before, middle in zip([-1, *middles], middles, strict=False)
    ]
    for at, middle in enumerate(middles):
        limit = begins[at + 1] if at + 1 < len(begins) else len(rows)
        first = next((row for row in rows[begins[at] : middle] if not row.blank), rows[middle])
        front = _text(rows[begins[at] : middle])
        back = _text(rows[middle + 1 : _end(rows, middle, limit)])
        if front and back:
            yield ExtractedQuestion(front, back, first.line)
            if PARTS[rows[middle].text.strip()]:
                yield ExtractedQuestion(back, front, first.line)


def _begin(rows: Sequence[_Row], middle: int, limit: int) -> int:
    """Return the first row of the question before a row that parts."""
    touches = middle > limit and not rows[middle - 1].blank
    at = middle
    while at > limit:
        row = rows[at - 1]
        if row.is_rule or (touches and row.blank):
            return at
        at -= 1
        if row.is_heading:
            return at
    return at


def _end(rows: Sequence[_Row], middle: int, limit: int) -> int:
    """Return the row after the answer below a row that parts."""
    touches = middle + 1 < limit and not rows[middle + 1].blank
    for at in range(middle + 1, limit):
        if rows[at].is_rule or (touches and rows[at].blank):
            return at
    return limit


def _text(rows: Sequence[_Row]) -> str:
    shown = [_HEADING.sub(r"\g<title>", row.text) if row.is_heading else row.text for row in rows]
    return "\n".join(shown[:1] + [row.text for row in rows[1:]]).strip()


def in_code(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards that blocks of code are: YAML with a question and an answer."""
    for token in parse_blocks(text):
        if token.type == "fence" and token.map and _CODED.match(token.info.strip()):
            try:
                said = yaml.load(token.content, PlainLoader)  # noqa: S506 - a SafeLoader
            except yaml.YAMLError:
                continue
            for card in said if isinstance(said, list) else [said]:
                named = card if isinstance(card, dict) else {}
                fields = {str(key).casefold(): value for key, value in named.items()}
                front, back = field_of(fields, "front"), field_of(fields, "back")
                if front and back:
                    yield ExtractedQuestion(front, back, token.map[0] + 1)


def fielded(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards between rows START and END: the type of the note, then its fields."""
    begin = 0
    inside: list[str] | None = None
    for line, row, coded in rows_of(text):
        if not coded and row.strip() == "START":
            begin, inside = line, []
        elif not coded and row.strip() == "END" and inside is not None:
            yield from _fields(inside, begin)
            inside = None
        elif inside is not None:
            inside.append(row)


def _fields(rows: Sequence[str], line: int) -> Iterator[ExtractedQuestion]:
    fields: dict[str, list[str]] = {}
    name = ""
    for row in _COMMENT.sub("", "\n".join(rows[1:])).split("\n"):
        if found := _FIELD.match(row):
            name = found["name"]
            fields[name] = [found["text"]]
        elif name or row.strip():
            fields.setdefault(name, []).append(row)
    texts = {name: "\n".join(each).strip() for name, each in fields.items() if name != "Tags"}
    front, *rest = texts.values() or [""]
    named = list(texts)[1:]
    answers = [(each, text) for each, text in zip(named, rest, strict=True) if text]
    back = "\n\n".join(
        text if len(answers) == 1 else f"**{each}:** {text}" for each, text in answers
    )
    if front and back:
        yield ExtractedQuestion(front, back, line)
