"""The items of the packs' concepts, for the path: how far each is, and which are still new."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select
from sqlalchemy.orm import aliased

from studyattn.store.models import CardRow, ConceptRow, ItemRow
from studyattn.store.queries.concepts import WHOLE
from studyattn.store.queries.items import IS_ACTIVE


class PathItem(NamedTuple):
    """An item that may be asked, of a concept of a pack or of one joined into it."""

    concept_id: int  # the whole concept's
    guid: str
    kind: str  # card | drill
    card_kind: str | None  # None for a drill
    phase: str
    due: datetime | None  # aware, UTC; None for a new item
    stability: float | None  # days; None for a new item
    last_review: datetime | None  # or the instant at which its memory began; None for a new item


def path_items(connection: Connection) -> list[PathItem]:
    """Return these items in the order in which a concept's are new."""
    whole = aliased(ConceptRow)
    rows = connection.execute(
        select(
            WHOLE,
            ItemRow.guid,
            ItemRow.kind,
            CardRow.kind,
            ItemRow.phase,
            ItemRow.due,
            ItemRow.stability,
            ItemRow.last_review,
        )
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .join(whole, whole.id == WHOLE)
        .outerjoin(CardRow, CardRow.item_id == ItemRow.id)
        .where(IS_ACTIVE, whole.pack.is_not(None), ~whole.retired)
        .order_by(ItemRow.position, ItemRow.id)
    )
    return [PathItem(*row) for row in rows]
