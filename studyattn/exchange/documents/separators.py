"""Cards that rows of their own begin or part: `?`, `%`, START and END, a block of code.

A row that touches a text parts a paragraph from the next one. A row that stands alone parts all
that is between two rules, or below a heading, which belongs to the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Final

import yaml

from studyattn.exchange.documents.dialects.trees import cards_in
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.rows import Part, Row, cut, rows_of
from studyattn.text.front_matter import PlainLoader
from studyattn.text.markdown import parse_blocks

PARTS: Final = {"?": False, "??": True, "%": False, "↪": False, ":question:": False}
"""The rows between two sides, and whether the card is asked both ways."""
_BLOCK = re.compile(r"^\s*(?P<mark>START|END)\s*$")
_FIELD = re.compile(r"^(?P<mark>[^\W\d_][\w ]{0,30}):\s*(?P<text>.*)$")
_CODED = re.compile(r"(?:anki|(?:flash|anki-?)?cards?|quiz)\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def separated(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards whose sides a row parts."""
    rows = rows_of(text)
    middles = [at for at, row in enumerate(rows) if row.mark in PARTS]
    limits = [0, *(middle + 1 for middle in middles)]
    begins = [*map(partial(_begin, rows), middles, limits), len(rows)]
    for begin, middle, limit in zip(begins, middles, begins[1:], strict=False):
        front = _text(rows[begin:middle])
        back = _text(rows[middle + 1 : _end(rows, middle, limit)])
        line = next((row.line for row in rows[begin:middle] if not row.blank), 0)
        if front and back:
            yield ExtractedQuestion(front, back, line)
            if PARTS[rows[middle].mark]:
                yield ExtractedQuestion(back, front, line)


def _begin(rows: Sequence[Row], middle: int, limit: int) -> int:
    """Return the first row of the question before a row that parts."""
    touches = middle > limit and not rows[middle - 1].blank
    at = middle
    while at > limit:
        row = rows[at - 1]
        if row.is_rule or (touches and row.blank):
            return at
        at -= 1
        if row.heading:
            return at
    return at


def _end(rows: Sequence[Row], middle: int, limit: int) -> int:
    """Return the row after the answer below a row that parts."""
    touches = middle + 1 < limit and not rows[middle + 1].blank
    for at in range(middle + 1, limit):
        if rows[at].is_rule or (touches and rows[at].blank):
            return at
    return limit


def _text(rows: Sequence[Row]) -> str:
    """Return rows as a text; a heading is the question below which it stands."""
    shown = [rows[0].heading or rows[0].text, *(row.text for row in rows[1:])] if rows else []
    return "\n".join(shown).strip()


def in_code(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards that blocks of code are: YAML with a question and an answer."""
    for token in parse_blocks(text):
        if token.type == "fence" and token.map and _CODED.match(token.info.strip()):
            with suppress(yaml.YAMLError):
                said = yaml.load(token.content, PlainLoader)  # noqa: S506 - a SafeLoader
                for card in cards_in(said, ""):
                    yield replace(card, line=token.map[0] + 1)


def fielded(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards between rows START and END: the type of the note, then its fields."""
    for part, after in pairwise(cut(rows_of(text), _BLOCK)):
        if (part.mark, after.mark) == ("START", "END"):
            rows = _COMMENT.sub("", part.text).split("\n")
            yield from _fields(cut([Row(part.line, row) for row in rows[1:]], _FIELD), part.line)


def _fields(parts: Sequence[Part], line: int) -> Iterator[ExtractedQuestion]:
    """Yield the card that fields are: the first one asks. Its name may be left out."""
    named = [(each.mark, each.text) for each in parts if each.mark != "Tags"]
    (_, front), *rest = named if named[0][1] else named[1:] or named
    answers = dict(each for each in rest if each[1])
    listed = [f"**{name}:** {text}" for name, text in answers.items()]
    back = "\n\n".join(listed if len(answers) > 1 else answers.values())
    if front and back:
        yield ExtractedQuestion(front, back, line)
