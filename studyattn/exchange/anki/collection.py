"""The tables of Anki's collection, which old and new packages keep in different places."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from studyattn.errors import DocumentError
from studyattn.exchange.anki.protobuf import described

_CALENDAR_KEYS: Final = frozenset({"creationOffset", "rollover"})
Definition = dict[str, Any]
"""A note type as older packages describe it."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The learner's time zone (minutes east of UTC), and when their day begins."""

    offset: int
    rollover_hour: int

    def day_of(self, minutes: int) -> int:
        """Return the learner day, in days since 1970, of an instant in minutes since then."""
        return (minutes + self.offset - 60 * self.rollover_hour) // 1440


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

    def notes(self) -> Iterator[tuple[Any, ...]]:
        """Yield the number, guid, note type, fields, tags and last change of each note."""
        yield from self._connection.execute("SELECT id, guid, mid, flds, tags, mod FROM notes")

    def cards(self) -> Iterator[tuple[Any, ...]]:
        """Yield the cards by number, each as in its home deck.

        The note, place, deck and last change, then the columns of a `Schedule`. A card that a
        filtered deck holds waits in none when it comes home.
        """
        schedule = (
            "type",
            "iif(odid > 0 AND queue >= 0, iif(type = 3, iif(odue > 1000000, 1, 3), type), queue)",
            "iif(odid > 0, odue, due)",
            *("ivl", "factor", "reps", "lapses", "left", "flags"),
        )
        casts = ", ".join(f"CAST({each} AS INTEGER)" for each in schedule)
        yield from self._connection.execute(
            f"SELECT id, nid, ord, iif(odid > 0, odid, did), mod, {casts}, coalesce(data, '')"  # noqa: S608 - ours
            " FROM cards ORDER BY id"
        )

    def logs(self) -> dict[int, str]:
        """Return the review log of each card as JSON, its rows as columns of a `RevlogRow`."""
        columns = ("id", "ease", "ivl", "lastIvl", "factor", "time", "type")
        casts = ", ".join(f"CAST({each} AS INTEGER)" for each in columns)
        return dict(
            self._connection.execute(
                f"SELECT cid, json_group_array(json_array({casts})) FROM"  # noqa: S608 - ours
                " (SELECT * FROM revlog ORDER BY cid, id) GROUP BY cid"
            )
        )

    def first_day(self) -> int:
        """Return the learner day that its days are counted from, in days since 1970."""
        (created,) = self._connection.execute("SELECT crt FROM col").fetchone()
        return self.calendar().day_of(int(created) // 60)

    def last_used(self) -> int:
        """Return when the collection was last changed, in milliseconds."""
        (changed,) = self._connection.execute("SELECT mod FROM col").fetchone()
        return int(changed)

    def note_types(self) -> dict[int, Definition]:
        """Return the note types by number, as older packages describe them."""
        return self._new_note_types() if self._new else self._objects_of("models")

    def _new_note_types(self) -> dict[int, Definition]:
        """Return the note types of a new collection, which keeps them in several tables."""
        found: dict[int, Definition] = {}
        for number, name, changed, config in self._connection.execute(
            "SELECT id, name, mtime_secs, config FROM notetypes"
        ):
            head = {"id": number, "name": name, "mod": changed, "usn": -1}
            found[number] = {**head, **described(config, "note_type"), "flds": [], "tmpls": []}
        for table, parts in (("fields", "flds"), ("templates", "tmpls")):
            for number, ord_, name, config in self._connection.execute(
                f"SELECT ntid, ord, name, config FROM {table} ORDER BY ntid, ord"  # noqa: S608 - ours
            ):
                if number in found:  # parts of note types that are gone are left in packages
                    part = {"name": str(name), "ord": ord_, **described(config, table[:-1])}
                    found[number][parts].append(part)
        return found

    def deck_names(self) -> dict[int, str]:
        """Return the names of the decks by number, with `::` after that of the deck above."""
        if self._new:
            rows = self._connection.execute("SELECT id, name FROM decks")
            return {number: str(name).replace("\x1f", "::") for number, name in rows}
        decks = self._objects_of("decks")
        return {number: str(each["name"]) for number, each in decks.items()}

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
