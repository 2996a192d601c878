"""The table `setting`: the learner's settings that differ from their defaults, and small state.

Reading does not load SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from studyattn.store.sql import Connection, as_json, do, read_json, rows, value, values


class KeptDrill(NamedTuple):
    """What the queue needs of a drill, whose text stays in its pack."""

    level: int  # 1-5
    requires: tuple[str, ...]  # guids of drills that come first


def stored_values(connection: Connection) -> dict[str, object]:
    """Return every stored value (JSON) by its key."""
    return dict(rows(connection, tuple[str, Any], "SELECT key, value FROM setting ORDER BY key"))


def read_value(connection: Connection, key: str) -> object:
    """Return the value stored under `key`, or None."""
    return read_json(value(connection, "SELECT value FROM setting WHERE key = :key", key=key))


def reading_times(connection: Connection) -> dict[str, float]:
    """Return the seconds of reading that come before new items, by guid. 0 is not listed.

    Packs that were written before this was kept have none.
    """
    kept = (about.get("reading", {}) for about in _packs(connection))
    return {guid: seconds for each in kept for guid, seconds in each.items()}


def kept_drills(connection: Connection) -> dict[str, KeptDrill]:
    """Return the drills of all packs as they were when each pack was written, by guid."""
    kept = (about.get("drills", {}) for about in _packs(connection))
    return {
        guid: KeptDrill(drill["level"], tuple(drill["requires"]))
        for each in kept
        for guid, drill in each.items()
    }


def _packs(connection: Connection) -> Iterator[Mapping[str, Any]]:
    """Yield what each pack said about itself when it was written."""
    return map(read_json, values(connection, _PACKS))


_PACKS = "SELECT value FROM setting WHERE key LIKE 'pack:%' ORDER BY key"


def put_value(connection: Connection, key: str, value: object) -> None:
    """Store `value` (JSON) under `key`."""
    do(connection, _PUT, key=key, value=as_json(value))


_PUT = """
INSERT INTO setting (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value"""


def remove_value(connection: Connection, key: str) -> None:
    """Forget `key`."""
    do(connection, "DELETE FROM setting WHERE key = :key", key=key)
