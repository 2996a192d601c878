"""The table `setting`: the learner's settings that differ from their defaults, and small state."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from studyattn.store.models import SettingRow


def stored_values(connection: Connection) -> dict[str, object]:
    """Return every stored value (JSON) by its key."""
    return dict(connection.execute(select(SettingRow.key, SettingRow.value)).all())


def read_value(connection: Connection, key: str) -> object:
    """Return the value stored under `key`, or None."""
    return connection.execute(
        select(SettingRow.value).where(SettingRow.key == key)
    ).scalar_one_or_none()


def put_value(connection: Connection, key: str, value: object) -> None:
    """Store `value` (JSON) under `key`."""
    changed = connection.execute(
        update(SettingRow).where(SettingRow.key == key).values(value=value)
    )
    if changed.rowcount == 0:  # a write transaction is alone: nobody else inserts it meanwhile
        connection.execute(insert(SettingRow).values(key=key, value=value))


def remove_value(connection: Connection, key: str) -> None:
    """Forget `key`."""
    connection.execute(delete(SettingRow).where(SettingRow.key == key))
