"""Cards as hashcards and repeat read them: `Q: … A: …`, and `C: …` with [gaps] in brackets."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePath
from typing import Final

from studyattn.exchange.documents.dialects.dialect import Reading
from studyattn.exchange.documents.rows import Part, cut, gapped, rows_of

_MARK = re.compile(r"^(?:(?P<mark>[QAC]):\s?(?P<text>.*)|-{3,}\s*)$")
_GAP = re.compile(r"(?<![!\\\]])\[(?P<text>(?:[^\[\]\\]|\\.)+)\](?!\()")
_ESCAPED = re.compile(r"\\([\[\]])")
_NEAR: Final = 4
"""Rows from `C:` on of which one has a gap."""


def read(text: str, name: str) -> Reading:
    """Read the cards: each mark ends the card before it, as a rule does."""
    title = _deck(text) or PurePath(name).stem
    found = Reading(title=title)
    parts = [*cut(rows_of(text), _MARK), Part(0)]
    for before, part, after in zip(parts, parts[1:], parts[2:], strict=False):
        if part.mark == "Q":
            answer = after.text if after.mark == "A" else ""
            found.basic(part.text, answer, part.line, title)
        elif part.mark == "A" and before.mark != "Q":
            found.leave(part.line, "an answer (A:) without a question before it")
        elif part.mark == "C" and (whole := gapped(_GAP, part.text, formulas=True)):
            found.gaps(_ESCAPED.sub(r"\1", whole), part.line, title)
        elif part.mark == "C":
            found.leave(part.line, "C: without a gap in [brackets]")
    return found


def _deck(text: str) -> str:
    """Return the name of the deck that TOML at the beginning gives; empty without."""
    found = re.match(r"^---\n(.*?)\n---\s*\n", text, re.DOTALL)
    if found is None:
        return ""
    try:
        name = tomllib.loads(found[1]).get("name", "")
    except tomllib.TOMLDecodeError:
        return ""
    return name if isinstance(name, str) else ""


def recognises(_name: str, text: str) -> bool:
    """Return whether there is a text with gaps, or a name of a deck in TOML above Q: and A:."""
    parts = cut(rows_of(text), _MARK)
    marks = {part.mark for part in parts}
    gaps = (row.text for part in parts if part.mark == "C" for row in part.rows[:_NEAR])
    return any(map(_GAP.search, gaps)) or ({"Q", "A"} <= marks and bool(_deck(text)))
