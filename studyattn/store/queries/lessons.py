"""The learner's place in the lessons of packs, and the concepts that these are about.

A lesson goes by `PACK:SLUG`. How far it was read is a
decision: the page at which it goes on, or none once it was read to its end or skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from studyattn.store.sql import Connection, Statements, row, rows, value, values

_SQL = Statements(__file__)


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


def taught_by(connection: Connection, guid: str) -> TaughtConcept | None:
    """Return the concept of a pack's item, joined into another or not; None for other items."""
    return row(connection, TaughtConcept, _SQL.taught_by, guid=guid)


def taught_concepts(connection: Connection) -> list[TaughtConcept]:
    """Return the concepts of all packs in the order of their paths."""
    return rows(connection, TaughtConcept, _SQL.taught_concepts)


def needed_for(connection: Connection, concept_id: int) -> list[str]:
    """Return the titles of the concepts that require this one, in the order of the path."""
    return values(connection, _SQL.needed_for, concept=concept_id)


def was_begun(connection: Connection, concept_id: int, *, but: str) -> bool:
    """Return whether an item of the concept was asked before, one with `but` in its guid aside."""
    return value(connection, _SQL.was_begun, concept=concept_id, but=f"%{but}%") is not None


def begun_concepts(connection: Connection, *, but: str) -> set[int]:
    """Return the concepts that were begun: an item was asked, or the lesson was opened or skipped.

    An item with `but` in its guid is left aside. Concepts that are joined are begun together.
    """
    opened = lesson_pages(connection)
    found = rows(
        connection, tuple[int, int, str | None, str, bool], _SQL.begun_concepts, but=f"%{but}%"
    )
    begun = {
        whole for _, whole, pack, slug, is_asked in found if is_asked or f"{pack}:{slug}" in opened
    }
    return {concept for concept, whole, *_ in found if whole in begun}


def lesson_pages(connection: Connection) -> Mapping[str, str | None]:
    """Return the page at which each lesson goes on, None for one that is over, by its name."""
    return dict(rows(connection, tuple[str, Any], _SQL.lesson_pages))
