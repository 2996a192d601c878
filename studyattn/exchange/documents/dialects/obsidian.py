"""Flashcards as the plugin “Spaced Repetition” of Obsidian reads them: its marks are in its page.

A note is read in blocks, rows without a blank one between them, under its headings and tags.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from studyattn.exchange.documents.dialects.dialect import Reading
from studyattn.exchange.documents.names import page_of, patterns_of
from studyattn.exchange.documents.rows import (
    ITEM,
    Row,
    gapped,
    rows_of,
    unfenced,
    without_code,
)
from studyattn.exchange.memories import LearnedBefore, learned_before
from studyattn.text.counting import count

_PAGE: Final = page_of("dialects/obsidian.toml")
_MARKS: Final = patterns_of("dialects/obsidian.toml")
_SCHEDULE: Final = _MARKS["schedule"]
NEW: Final = _PAGE["new"]
_CLOSE: Final = {"{{": "}}"}
_NEVER: Final = "(?!)"
_BULLET = re.compile(rf"^\s*{ITEM}\s+(?:\[[ xX]\]\s+)?")
_ESCAPED = re.compile(r"^\\(?=\?{1,2}$|#{1,6}\s)")
_BREAK = re.compile(r"^<br>$")
"""It stands for a blank row, which would end a card."""

Memories = Sequence[LearnedBefore | None]


@dataclass(frozen=True, slots=True)
class _Marks:
    """The marks of a vault: those of the plugin, or those that its owner has chosen."""

    tag: re.Pattern[str]
    sides: re.Pattern[str]
    half: re.Pattern[str]
    gap: re.Pattern[str]
    both: str
    second: Mapping[str, bool]
    """The rows between two sides, and whether the card is asked both ways."""
    end: str

    def tag_in(self, row: Row) -> re.Match[str] | None:
        """Return the tag of a row."""
        return None if row.coded else self.tag.search(without_code(row.text))


def _marks_of(name: str) -> _Marks:
    """Return the marks of the vault that a file is in; of no vault, those of the plugin."""
    names, chosen = _PAGE["settings"], dict(_PAGE["marks"])
    above = Path(name).absolute().parents if name else ()
    vault = next((each for each in above if (each / ".obsidian").is_dir()), None)
    said = _settings(vault / names["file"]) if vault else {}
    chosen |= {key: each for key in chosen if (each := said.get(names.get(key)))}
    if said:
        listed = "".join(map(str, said.get(names["patterns"], ())))
        flags = names["flags"].items()
        chosen["gaps"] = [sign for sign, flag in flags if said.get(flag) or sign in listed]
    gaps = chosen["gaps"]
    marks = {
        "tag": _any_of(chosen["tags"]),
        "mark": _any_of((chosen["both"], chosen["one"])),
        "open": _any_of(gaps),
        "close": _any_of(_CLOSE.get(each, each) for each in gaps),
    }
    patterns = {
        key: re.compile(_filled(each, marks), re.DOTALL) for key, each in _PAGE["chosen"].items()
    }
    second = {chosen["below"]: False, chosen["below_both"]: True}
    return _Marks(**patterns, both=chosen["both"], second=second, end=chosen["end"])


def _settings(path: Path) -> Mapping[str, Any]:
    try:
        said = json.loads(path.read_text("utf-8"))["settings"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return said if isinstance(said, dict) else {}


def _any_of(signs: Iterable[str]) -> str:
    return "|".join(re.escape(str(each)) for each in signs) or _NEVER


def _filled(pattern: str, marks: Mapping[str, str]) -> str:
    return re.sub(r"\{(tag|mark|open|close)\}", lambda found: marks[found[1]], pattern)


def read(text: str, name: str) -> Reading:
    note = _Note(_marks_of(name))
    for block in _blocks(rows_of(text), note.marks):
        note.take(block)
    if re.search(r"^sr-due:", text, re.MULTILINE):
        note.found.remarks.append("The due date of the whole note (sr-due) is not imported")
    unread = sum(memory is None and NEW not in part for part, memory in _schedule(text))
    if unread:
        what = count(unread, "schedule")
        note.found.remarks.append(f"{what} cannot be read, so the cards start as new")
    return note.found


def _blocks(rows: Sequence[Row], marks: _Marks) -> Sequence[list[Row]]:
    """Return runs of rows without a blank one between them; a code fence is part of its run.

    Where a row ends each card, blank rows below the line ? are part of the card.
    """
    ends = sum(row.mark == marks.end for row in rows)
    blocks: list[list[Row]] = [[]]
    for row in rows:
        if row.mark == marks.end:
            blocks.append([])
            ends -= 1
        elif row.blank and not (ends and any(each.mark in marks.second for each in blocks[-1])):
            blocks.append([])
        else:
            blocks[-1].append(row)
    return [block for block in blocks if block]


@dataclass(slots=True)
class _Note:
    """A note while its blocks are read one after another."""

    marks: _Marks
    found: Reading = field(default_factory=Reading)
    heading: str = ""
    deck: str = ""

    def take(self, block: Sequence[Row]) -> None:
        """Read the cards of one block."""
        heads = list(takewhile(lambda row: row.heading, block))
        rows = list(block[len(heads) :])
        if heads and rows and rows[0].mark in self.marks.second:  # what is above a line ? is asked
            asked = heads.pop()
            rows.insert(0, Row(asked.line, asked.heading))
        self.heading = heads[-1].heading if heads else self.heading
        rows, deck = self._untagged(rows)
        topic = deck or self.heading
        if any(row.mark in self.marks.second for row in rows):
            self._two_sided(rows, topic)
        elif rows and not self._inline(rows, topic):
            self._gaps(rows, topic)

    def _untagged(self, rows: list[Row]) -> tuple[list[Row], str]:
        """Return rows without tags, and the deck that these or those before name."""
        decks, kept = [], []
        for row in rows:
            text = row.text
            if tag := self.marks.tag_in(row):
                decks.append(tag["deck"].split("/")[-1])
                text = self.marks.tag.sub("", text).strip()
                if not text:  # a row of tags alone holds for all that follows
                    self.deck = decks[0]
                    continue
            kept.append(row._replace(text=text))
        return kept, decks[0] if decks else self.deck

    def _two_sided(self, rows: Sequence[Row], topic: str) -> None:
        """Read the card whose sides a row parts."""
        middle = next(at for at, row in enumerate(rows) if row.mark in self.marks.second)
        mark = rows[middle].mark
        front, back = _text(rows[:middle]), _text(rows[middle + 1 :])
        if front and back:
            line, both = rows[0].line, self.marks.second[mark]
            places = self.found.basic(front, back, line, topic, reversed_too=both)
            self._learn(places, _memories(rows[middle + 1 :]), line)
        else:
            side = "answer" if front else "question"
            self.found.leave(rows[middle].line, f"no {side} next to the line {mark}")

    def _inline(self, rows: Sequence[Row], topic: str) -> bool:
        """Read the cards of single rows, with the schedule beside or below each."""
        places: list[int] = []
        inline = False
        for row in rows:
            words = "" if row.coded else _SCHEDULE.sub("", row.text).strip()
            marked = without_code(words)
            if sides := self.marks.sides.fullmatch(marked):
                inline = True
                front = _BULLET.sub("", words[: sides.end("front")])
                back, both = words[sides.start("back") :], sides["mark"] == self.marks.both
                places = self.found.basic(front, back, row.line, topic, reversed_too=both)
            elif self.marks.half.search(marked):
                self.found.leave(row.line, "one side of :: is empty")
            if places and (memories := _memories([row])):
                self._learn(places, memories, row.line)
                places = []
        return inline

    def _gaps(self, rows: Sequence[Row], topic: str) -> None:
        """Read the gaps of a text."""
        text, memories, line = _text(rows), _memories(rows), rows[0].line
        whole = gapped(self.marks.gap, _BULLET.sub("", text, count=1))
        if not whole:
            if memories:
                self.found.leave(line, "a schedule (SR) without a card before it")
        elif any(not (found["group"] or "1").isdigit() for found in self.marks.gap.finditer(text)):
            self.found.leave(line, "gaps that overlap ([^ash]) are not read")
        else:
            self._learn(self.found.gaps(whole, line, topic), memories, line)

    def _learn(self, places: Sequence[int], memories: Memories, line: int) -> None:
        self.found.learn(places, memories)
        if len(memories) > len(places):
            self.found.leave(line, "the schedule (SR) covers more cards than the note has")


def _text(rows: Iterable[Row]) -> str:
    """Return rows as they are meant, without their schedule."""
    return "\n".join(row.text if row.coded else _shown(row.text) for row in rows).strip()


def _shown(row: str) -> str:
    return _ESCAPED.sub("", _BREAK.sub("", _SCHEDULE.sub("", row).rstrip()))


def _memories(rows: Iterable[Row]) -> Memories:
    return [memory for row in rows for _, memory in _schedule(row.text)]


def _schedule(text: str) -> Iterator[tuple[str, LearnedBefore | None]]:
    """Yield what a schedule says of each card, and its memory; None for a new card.

    None also for one that cannot be read.
    """
    for comment in _SCHEDULE.finditer(text):
        for part in re.findall(r"![^!]*", comment["cards"]):
            said = _MARKS["memory"].match(part)
            is_new = said is None or said["due"] == NEW
            yield (
                part,
                None
                if said is None or is_new
                else learned_before(said["due"], float(said["interval"]), float(said["ease"]) * 10),
            )


def recognises(name: str, text: str) -> bool:
    """Return whether a note is tagged for flashcards, or has been reviewed with the plugin."""
    return (
        bool(_SCHEDULE.search(text))
        or bool(_MARKS["tag_above"].match(text))
        or any(map(_marks_of(name).tag_in, rows_of(text)))
    )


def looks(text: str) -> bool:
    marks = _marks_of("")
    return any(_looks_like_a_card(row, marks) for row in unfenced(text))


def _looks_like_a_card(row: str, marks: _Marks) -> bool:
    marked = without_code(row)
    sides = marks.sides.fullmatch(marked)
    if sides is None or re.match(r"^\s*(?:[-*+]\s+)?[\w-]+::\s", marked):
        return row.strip() in marks.second  # or a property of Logseq, Dataview
    return " " in sides["front"] or sides["mark"] == marks.both or " :: " in marked
