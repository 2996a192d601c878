"""Small state that the program keeps in the table `setting`, beside the learner's settings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from studyattn.store.models import Setting


def get_state(connection: Connection, key: str) -> Any:
    """What is kept under `key`, or None."""
    return connection.execute(select(Setting.value).where(Setting.key == key)).scalar_one_or_none()


def put_state(connection: Connection, key: str, value: Any) -> None:
    """Keep `value` (JSON) under `key`."""
    row = insert(Setting).values(key=key, value=value)
    connection.execute(
        row.on_conflict_do_update(index_elements=[Setting.key], set_={"value": row.excluded.value})
    )


def remove_state(connection: Connection, key: str) -> None:
    """Forget `key`."""
    connection.execute(delete(Setting).where(Setting.key == key))
