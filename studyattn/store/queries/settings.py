"""The table `setting`: the learner's settings that differ from their defaults, and small state.

Reading does not load SQLAlchemy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from studyattn.store.readable import Readable, driver_of

if TYPE_CHECKING:
    from sqlalchemy import Connection


class KeptDrill(NamedTuple):
    """What the queue needs of a drill, whose text stays in its pack."""

    level: int  # 1-5
    requires: tuple[str, ...]  # guids of drills that come first


def stored_values(connection: Readable) -> dict[str, object]:
    """Return every stored value (JSON) by its key."""
    return {key: _value(value) for key, value in driver_of(connection).stream(_ALL)}


_ALL = "SELECT key, value FROM setting ORDER BY key"


def read_value(connection: Readable, key: str) -> object:
    """Return the value stored under `key`, or None."""
    row = driver_of(connection).one("SELECT value FROM setting WHERE key = ?", (key,))
    return None if row is None else _value(row[0])


def _value(stored: str | float) -> object:
    """Return the value of a column of JSON; SQLite keeps a number in one as a number."""
    return json.loads(stored) if isinstance(stored, str) else stored


def reading_times(connection: Readable) -> dict[str, float]:
    """Return the seconds of reading that come before new items, by guid. 0 is not listed.

    Packs that were written before this was kept have none.
    """
    kept = (about.get("reading", {}) for about in _packs(connection))
    return {guid: seconds for each in kept for guid, seconds in each.items()}


def kept_drills(connection: Readable) -> dict[str, KeptDrill]:
    """Return the drills of all packs as they were when each pack was written, by guid."""
    kept = (about.get("drills", {}) for about in _packs(connection))
    return {
        guid: KeptDrill(drill["level"], tuple(drill["requires"]))
        for each in kept
        for guid, drill in each.items()
    }


def _packs(connection: Readable) -> Iterator[Mapping[str, Any]]:
    """Yield what each pack said about itself when it was written."""
    for _, about in driver_of(connection).stream(_LIKE, ("pack:%",)):
        yield json.loads(about)


_LIKE = "SELECT key, value FROM setting WHERE key LIKE ? ORDER BY key"


def put_value(connection: Connection, key: str, value: object) -> None:
    """Store `value` (JSON) under `key`."""
    from sqlalchemy import insert, update

    from studyattn.store.models import SettingRow

    changed = connection.execute(
        update(SettingRow).where(SettingRow.key == key).values(value=value)
    )
    if changed.rowcount == 0:  # a write transaction is alone: nobody else inserts it meanwhile
        connection.execute(insert(SettingRow).values(key=key, value=value))


def remove_value(connection: Connection, key: str) -> None:
    """Forget `key`."""
    from sqlalchemy import delete

    from studyattn.store.models import SettingRow

    connection.execute(delete(SettingRow).where(SettingRow.key == key))
