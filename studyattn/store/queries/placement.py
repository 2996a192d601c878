"""Which concepts of packs the learner was placed beyond: decisions, by `PACK:SLUG`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from studyattn.store.models import DecisionRow
from studyattn.store.queries.decisions import decide

_KIND, _FIELD = "placement", "placed"


def placed_concepts(connection: Connection) -> set[str]:
    """Return the names, `PACK:SLUG`, of the concepts that are placed."""
    rows = connection.execute(
        select(DecisionRow.name, DecisionRow.value).where(
            DecisionRow.kind == _KIND, DecisionRow.field == _FIELD
        )
    )
    return {name for name, placed in rows if placed}


def put_placed(connection: Connection, concept: str, placed: bool, at: datetime) -> None:
    """Keep that a concept, `PACK:SLUG`, is placed, or is not."""
    decide(connection, _KIND, concept, _FIELD, placed, at)
