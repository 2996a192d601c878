"""What all transactions have in common: how long they wait, and which of them write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

PATIENCE = 20.0  # seconds to wait for another process's transaction

WRITING: Mapping[str, bool] = {"studyattn_writing": True}
"""The execution options of an engine or connection whose transactions are alone in writing."""


def writes(connection: Connection) -> bool:
    """Return whether the transactions of a connection are alone in writing from their start."""
    return bool(connection.get_execution_options().get(next(iter(WRITING))))
