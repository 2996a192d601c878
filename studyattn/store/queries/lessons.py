"""How far a learner is in the lessons of packs, and the concepts that these are about.

A lesson goes by `PACK:SLUG`. How far it was read is a
decision: the page at which it goes on, or none once it was read to its end or skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, select
from sqlalchemy.orm import aliased

from studyattn.store.models import ConceptRequiresRow, ConceptRow, DecisionRow, ItemRow
from studyattn.store.queries.concepts import WHOLE
from studyattn.store.queries.decisions import decide

_KIND, _FIELD = "lesson", "page"
_NEW = "new"


class TaughtConcept(NamedTuple):
    """A concept of a pack."""

    id: int
    slug: str
    title: str
    pack: str

    @property
    def lesson(self) -> str:
        """The name of its lesson."""
        return f"{self.pack}:{self.slug}"


_TAUGHT: Select[*tuple[Any, ...]] = select(
    ConceptRow.id, ConceptRow.slug, ConceptRow.title, ConceptRow.pack
).where(ConceptRow.pack.is_not(None), ~ConceptRow.retired)


def taught_by(connection: Connection, guid: str) -> TaughtConcept | None:
    """Return the concept of a pack's item, joined into another or not; None for other items."""
    row = connection.execute(
        _TAUGHT.join(ItemRow, ItemRow.concept_id == ConceptRow.id).where(ItemRow.guid == guid)
    ).one_or_none()
    return None if row is None else TaughtConcept(*row)


def taught_concepts(connection: Connection) -> list[TaughtConcept]:
    """Return the concepts of all packs in the order of their paths."""
    rows = connection.execute(_TAUGHT.order_by(ConceptRow.pack, ConceptRow.position, ConceptRow.id))
    return [TaughtConcept(*row) for row in rows]


def needed_for(connection: Connection, concept_id: int) -> list[str]:
    """Return the titles of the concepts that require this one, in the order of the path."""
    later = aliased(ConceptRow)
    titles = connection.scalars(
        select(later.title)
        .join(ConceptRequiresRow, ConceptRequiresRow.concept_id == later.id)
        .where(ConceptRequiresRow.requires_id == concept_id, ~later.retired)
        .order_by(later.position, later.id)
    )
    return list(titles)


def was_begun(connection: Connection, concept_id: int, *, but: str) -> bool:
    """Return whether an item of the concept was asked before, one with `but` in its guid aside."""
    asked = select(ItemRow.id).where(
        ItemRow.concept_id == concept_id, ItemRow.phase != _NEW, ~ItemRow.guid.contains(but)
    )
    return connection.scalar(asked.limit(1)) is not None


def begun_concepts(connection: Connection, *, but: str) -> set[int]:
    """Return the concepts that were begun: an item was asked, or the lesson was opened or skipped.

    An item with `but` in its guid is left aside. Concepts that are joined are begun together.
    """
    asked = select(ItemRow.id).where(
        ItemRow.concept_id == ConceptRow.id, ItemRow.phase != _NEW, ~ItemRow.guid.contains(but)
    )
    opened = lesson_pages(connection)
    rows = connection.execute(
        select(ConceptRow.id, WHOLE, ConceptRow.pack, ConceptRow.slug, asked.exists())
    ).all()
    begun = {
        whole for _, whole, pack, slug, is_asked in rows if is_asked or f"{pack}:{slug}" in opened
    }
    return {concept for concept, whole, *_ in rows if whole in begun}


def lesson_pages(connection: Connection) -> Mapping[str, str | None]:
    """Return the page at which each lesson goes on, None for one that is over, by its name."""
    rows = connection.execute(
        select(DecisionRow.name, DecisionRow.value).where(
            DecisionRow.kind == _KIND, DecisionRow.field == _FIELD
        )
    )
    return dict(rows.all())


def put_lesson_page(connection: Connection, lesson: str, page: str | None, at: datetime) -> None:
    """Let a lesson go on at a page, or be over."""
    decide(connection, _KIND, lesson, _FIELD, page, at)
