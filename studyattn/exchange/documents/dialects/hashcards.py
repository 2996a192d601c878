"""Cards as hashcards and repeat read them: `Q: … A: …`, and `C: …` with [gaps] in brackets."""

from __future__ import annotations

import re
import tomllib
from pathlib import PurePath

from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import Reading
from studyattn.exchange.documents.rows import has_gap, numbered, rows_of, unfenced

_MARK = re.compile(r"^(?P<mark>[QAC]):\s?(?P<text>.*)$")
_RULE = re.compile(r"^-{3,}\s*$")
_GAP = re.compile(r"(?<![!\\\]])\[(?P<text>(?:[^\[\]\\]|\\.)+)\](?!\()")
_ESCAPED = re.compile(r"\\([\[\]])")
_CLOZE_ROW = re.compile(r"^C:.*")


def _read(text: str, name: str) -> Reading:
    title = _deck(text) or PurePath(name).stem
    reader = _Reader(title)
    for number, row, coded in rows_of(text):
        reader.take(number, row, coded=coded)
    reader.end()
    return reader.found.reading(title)


class _Reader:
    """Reads rows one after another: each mark ends the card before it, as a rule does."""

    def __init__(self, topic: str) -> None:
        self.found = Collected()
        self._topic = topic
        self._line = 0
        self._mark = ""
        self._texts: dict[str, list[str]] = {}

    def take(self, number: int, row: str, *, coded: bool) -> None:
        """Read one row."""
        mark = None if coded else _MARK.match(row)
        if mark is not None and mark["mark"] == "A":
            if "Q" in self._texts and "A" not in self._texts:
                self._mark = "A"
                self._texts["A"] = [mark["text"]]
            else:
                self.found.leave(number, "an answer (A:) without a question before it")
                self.end()
        elif mark is not None:
            self.end()
            self._line, self._mark = number, mark["mark"]
            self._texts[self._mark] = [mark["text"]]
        elif not coded and _RULE.match(row):
            self.end()
        elif self._mark:
            self._texts[self._mark].append(row)

    def end(self) -> None:
        """Make a card of what was read last."""
        texts = {mark: "\n".join(rows).strip() for mark, rows in self._texts.items()}
        if "C" in texts:
            if has_gap(_GAP, texts["C"], formulas=True):
                gaps = numbered(_GAP, texts["C"], formulas=True)
                self.found.gaps(_ESCAPED.sub(r"\1", gaps), self._line, self._topic)
            else:
                self.found.leave(self._line, "C: without a gap in [brackets]")
        elif "Q" in texts:
            self.found.basic(texts["Q"], texts.get("A", ""), self._line, self._topic)
        self._texts, self._mark = {}, ""


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


def _recognises(_name: str, text: str) -> bool:
    """Return whether there is a text with gaps, or a name of a deck in TOML above Q: and A:."""
    marks = {found["mark"] for _, row in unfenced(text) if (found := _MARK.match(row))}
    return bool(_looks(text)) or ({"Q", "A"} <= marks and bool(_deck(text)))


def _looks(text: str) -> tuple[int, ...]:
    rows = dict(unfenced(text))
    return tuple(
        number
        for number, row in rows.items()
        if _CLOZE_ROW.match(row)
        and any(_GAP.search(rows.get(number + ahead, "")) for ahead in range(4))
    )


HASHCARDS = Dialect(
    name="hashcards",
    title="hashcards",
    about="Q: question, A: answer; C: a text with [gaps]",
    recognises=_recognises,
    read=_read,
    looks=_looks,
)
