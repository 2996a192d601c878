"""The tables of Anki's collection, which old and new packages keep in different places."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from studyattn.errors import DocumentError
from studyattn.exchange.anki.protobuf import read_fields
from studyattn.exchange.anki.templates import NoteType, Template

_CALENDAR_KEYS: Final = frozenset({"creationOffset", "rollover"})
_CLOZE: Final = 1
_CONFIG: Final = {"question": 1, "answer": 2}  # fields of a template's configuration


@dataclass(frozen=True, slots=True)
class Calendar:
    """The learner's time zone (minutes east of UTC), and when their day begins."""

    offset: int
    rollover_hour: int


class Collection:
    """An open collection. Raises DocumentError where it is not as Anki writes it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        self._new = ("notetypes",) in tables

    def size(self) -> int:
        """Return the bytes of the collection."""
        ((pages, bytes_of_one),) = self._connection.execute(
            "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size"
        )
        return int(pages * bytes_of_one)

    def cards(self) -> Iterator[tuple[Any, ...]]:
        """Yield the cards by number, each under its home deck, with its note."""
        yield from self._connection.execute(
            "SELECT cards.id, CASE WHEN cards.odid > 0 THEN cards.odid ELSE cards.did END,"
            " cards.ord, cards.queue, cards.flags, notes.guid, notes.mid, notes.flds, notes.tags,"
            " notes.mod, cards.type, cards.ivl, cards.factor, cards.reps, cards.mod, cards.data"
            " FROM cards JOIN notes ON notes.id = cards.nid ORDER BY cards.id"
        )

    def log(self) -> Iterator[tuple[Any, ...]]:
        """Yield the review log by time: the card, then the columns of a `RevlogRow`."""
        yield from self._connection.execute(
            "SELECT cid, id, ease, ivl, factor, time, type FROM revlog ORDER BY id"
        )

    def last_used(self) -> int:
        """Return when the collection was last changed, in milliseconds."""
        (changed,) = self._connection.execute("SELECT mod FROM col").fetchone()
        return int(changed)

    def note_types(self) -> dict[int, NoteType]:
        """Return the note types by number."""
        return dict(self._new_note_types() if self._new else self._old_note_types())

    def _old_note_types(self) -> Iterator[tuple[int, NoteType]]:
        for number, model in self._objects_of("models").items():
            fields = sorted(model["flds"], key=lambda each: int(each["ord"]))
            templates = {
                int(each["ord"]): Template(str(each["qfmt"]), str(each["afmt"]))
                for each in model["tmpls"]
            }
            names = tuple(str(each["name"]) for each in fields)
            yield number, NoteType(model.get("type") == _CLOZE, names, templates)

    def _new_note_types(self) -> Iterator[tuple[int, NoteType]]:
        names: dict[int, list[str]] = {}
        for number, name in self._connection.execute(
            "SELECT ntid, name FROM fields ORDER BY ntid, ord"
        ):
            names.setdefault(number, []).append(str(name))
        templates: dict[int, dict[int, Template]] = {}
        for number, ord_, config in self._connection.execute(
            "SELECT ntid, ord, config FROM templates"
        ):
            told = dict(read_fields(config))
            question, answer = (_text(told.get(each)) for each in _CONFIG.values())
            templates.setdefault(number, {})[ord_] = Template(question, answer)
        for number, config in self._connection.execute("SELECT id, config FROM notetypes"):
            is_cloze = dict(read_fields(config)).get(1) == _CLOZE
            yield number, NoteType(is_cloze, tuple(names[number]), templates.get(number, {}))

    def deck_names(self) -> dict[int, str]:
        """Return the names of the decks by number; of a deck below another both are in it."""
        if self._new:
            rows = self._connection.execute("SELECT id, name FROM decks")
            return {number: str(name).replace("\x1f", ": ") for number, name in rows}
        decks = self._objects_of("decks")
        return {number: str(each["name"]).replace("::", ": ") for number, each in decks.items()}

    def calendar(self) -> Calendar:
        """Return how the learner's days are counted."""
        conf: Mapping[str, Any]
        if self._new:
            rows = self._connection.execute("SELECT key, val FROM config")
            conf = {key: json.loads(value) for key, value in rows if key in _CALENDAR_KEYS}
        else:
            conf = self._json_of("conf")
        west, hour = conf.get("creationOffset", 0), conf.get("rollover", 4)
        return Calendar(
            offset=max(-1440, min(1440, -int(west or 0))), rollover_hour=int(hour or 0) % 24
        )

    def _json_of(self, column: str) -> dict[str, Any]:
        """Return the JSON object in a column of `col`. Raises DocumentError for any other JSON."""
        (text,) = self._connection.execute(f"SELECT {column} FROM col").fetchone()  # noqa: S608 - ours
        found = json.loads(text)
        if not isinstance(found, dict):
            self._refuse(f"`{column}` of its table `col` is not a JSON object")
        return found

    def _objects_of(self, column: str) -> dict[int, dict[str, Any]]:
        """Return the JSON objects by number in a column of `col`. Raises DocumentError."""
        found = self._json_of(column)
        for key, each in found.items():
            if not isinstance(each, dict):
                self._refuse(f"entry {key!r} of `{column}` is not a JSON object")
        return {int(key): each for key, each in found.items()}

    def _refuse(self, problem: str) -> NoReturn:
        raise DocumentError(
            f"its collection is not in Anki's format ({problem})",
            where=str(self._path),
            advice="Export it again from Anki",
        )


def _text(value: bytes | int | None) -> str:
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else ""
