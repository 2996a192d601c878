"""Which concepts of packs the learner was placed beyond: decisions, by `PACK:SLUG`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from studyattn.store.queries.decisions import decide
from studyattn.store.sql import Connection, rows

_PLACED = "SELECT name, value FROM decision WHERE kind = 'placement' AND field = 'placed'"


def placed_concepts(connection: Connection) -> set[str]:
    """Return the names, `PACK:SLUG`, of the concepts that are placed."""
    return {name for name, placed in rows(connection, tuple[str, Any], _PLACED) if placed}


def put_placed(connection: Connection, concept: str, placed: bool, at: datetime) -> None:
    """Keep that a concept, `PACK:SLUG`, is placed, or is not."""
    decide(connection, "placement", concept, "placed", placed, at)
