"""The tables' columns without SQLAlchemy, which takes a quarter of a second to load.

`columns.txt` says of them what `models` say, which a test holds equal; `column_types` are the kinds
as SQLAlchemy has them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from studyattn.store import log_values
from studyattn.store.driver import instant_text, read_day, read_instant
from studyattn.store.sql import as_json, read_json
from studyattn.store.tags import read_tags, stored_tags


def _if_any(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else convert(value)


def _read_aware(stored: Any) -> datetime | None:
    """Return an instant; psycopg gives one where SQLite's driver gives text."""
    return stored.replace(tzinfo=UTC) if isinstance(stored, datetime) else read_instant(stored)


def _write_json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""


def _checked_text(stored: object) -> None:
    if not isinstance(stored, str):
        raise TypeError(f"{stored!r} is not text")


def _checked_number(stored: object) -> None:
    if not isinstance(stored, int | float):
        raise TypeError(f"{stored!r} is not a number")


class Handled(NamedTuple):
    """The treatment of the values of a kind of column; None leaves a value as it is."""

    write: Callable[[Any], Any] | None
    """Makes what is kept of a value."""
    read: Callable[[Any], Any] | None
    check: Callable[[Any], Any]
    """Returns what is found in a file as it is kept now. Raises ValueError or TypeError."""


KINDS: Final[Mapping[str, Handled]] = {
    "text": Handled(None, None, _checked_text),
    "number": Handled(None, None, _checked_number),
    "flag": Handled(bool, bool, _checked_number),
    "json": Handled(as_json, read_json, json.loads),
    "date": Handled(_if_any(date.isoformat), read_day, date.fromisoformat),
    "instant": Handled(_if_any(instant_text), _if_any(_read_aware), datetime.fromisoformat),
    "tags": Handled(_if_any(stored_tags), _if_any(read_tags), _checked_text),
    "json-text": Handled(
        _if_any(_write_json), _if_any(read_json), lambda stored: json.loads(stored or "{}")
    ),
    "log-uuid": Handled(
        _if_any(log_values.stored_uuid), _if_any(log_values.read_uuid), log_values.uuid_as_stored
    ),
    "log-instant": Handled(
        _if_any(log_values.stored_instant),
        _if_any(log_values.read_stored_instant),
        log_values.instant_as_stored,
    ),
    "log-day": Handled(
        _if_any(log_values.stored_day),
        _if_any(log_values.read_stored_day),
        log_values.day_as_stored,
    ),
}


class StoredColumn(NamedTuple):
    """A column of a table."""

    name: str
    handled: Handled
    is_key: bool
    refers: str
    """The table whose numbers it has; empty for none."""
    default: str
    """JSON; empty for none."""


@cache
def tables() -> Mapping[str, Mapping[str, StoredColumn]]:
    """Return the columns of each table by name; a table comes after those that it refers to."""
    found: dict[str, dict[str, StoredColumn]] = {}
    for row in Path(__file__).with_name("columns.txt").read_text("utf-8").split("\n"):
        if row.startswith(" "):
            said, _, default = row.partition(" =")
            name, kind, *marks = said.split()
            refers = next((each[1:] for each in marks if each.startswith(">")), "")
            column = StoredColumn(name, KINDS[kind], "key" in marks, refers, default)
            found[next(reversed(found))][name] = column
        elif row and not row.startswith("#"):
            found[row] = {}
    return found
