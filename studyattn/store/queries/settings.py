"""The table `setting`: the learner's settings that differ from their defaults, and small state.

Reading does not load SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from studyattn.store.sql import Connection, as_json, do, read_json, rows, value


class KeptDrill(NamedTuple):
    """The facts about a drill that the queue needs; its text stays in its pack."""

    level: int  # 1-5
    requires: tuple[str, ...]  # guids of drills that come first
    steps: tuple[KeptStep, ...] = ()  # in which it may be written


class KeptStep(NamedTuple):
    """One step of a long drill."""

    title: str
    minutes: int  # as a share of those of all steps


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
    kept = (about.get("reading", {}) for about in _packs(connection).values())
    return {guid: seconds for each in kept for guid, seconds in each.items()}


def kept_drills(connection: Connection) -> dict[str, KeptDrill]:
    """Return the drills of all packs as they were when each pack was written, by guid."""
    kept = (about.get("drills", {}) for about in _packs(connection).values())
    return {
        guid: KeptDrill(
            drill["level"],
            tuple(drill["requires"]),
            tuple(KeptStep(*step) for step in drill.get("steps", ())),
        )
        for each in kept
        for guid, drill in each.items()
    }


class WrittenPack(NamedTuple):
    """A pack as it was last written: the digest of its files, and its place among the packs."""

    digest: str
    place: int | None  # None: put aside
    after: tuple[str, ...] = ()
    """The packs that it is taught after."""


def written_packs(connection: Connection) -> dict[str, WrittenPack]:
    """Return the packs that were written, by their ids."""
    return {
        name: WrittenPack(about["digest"], about.get("place", 0), tuple(about.get("after", ())))
        for name, about in _packs(connection).items()
    }


def _packs(connection: Connection) -> dict[str, Mapping[str, Any]]:
    """Return what each pack said about itself when it was written, by its id."""
    kept = rows(connection, tuple[str, dict[str, Any]], _PACKS)
    return {key.removeprefix(PACK): about for key, about in kept}


PACK: Final = "pack:"
"""Prefix of the keys that hold what the packs say about themselves."""

_PACKS = f"SELECT key, value FROM setting WHERE key LIKE '{PACK}%' ORDER BY key"  # noqa: S608 - ours


def put_value(connection: Connection, key: str, value: object) -> None:
    """Store `value` (JSON) under `key`."""
    do(connection, _PUT, key=key, value=as_json(value))


_PUT = """
INSERT INTO setting (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value"""


def remove_value(connection: Connection, key: str) -> None:
    """Forget `key`."""
    do(connection, "DELETE FROM setting WHERE key = :key", key=key)
