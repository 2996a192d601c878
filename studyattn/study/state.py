"""Small state that the program keeps in the table `setting`, beside the learner's settings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from studyattn.store.models import SettingRow


def get_state(connection: Connection, key: str) -> Any:
    """What is kept under `key`, or None."""
    return connection.execute(
        select(SettingRow.value).where(SettingRow.key == key)
    ).scalar_one_or_none()


def put_state(connection: Connection, key: str, value: Any) -> None:
    """Keep `value` (JSON) under `key`."""
    changed = connection.execute(
        update(SettingRow).where(SettingRow.key == key).values(value=value)
    )
    if changed.rowcount == 0:  # a write is alone: nobody else puts it there meanwhile
        connection.execute(insert(SettingRow).values(key=key, value=value))


def remove_state(connection: Connection, key: str) -> None:
    """Forget `key`."""
    connection.execute(delete(SettingRow).where(SettingRow.key == key))
