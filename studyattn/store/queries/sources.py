"""Sources: the documents that a learner imported."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from studyattn.store.models import SourceRow


class SourceHead(NamedTuple):
    """A document without its text."""

    id: int
    guid: str
    title: str
    kind: str  # qa | note | post | slides | summary
    imported_at: datetime


class SourceText(NamedTuple):
    """A document with its text as it was imported."""

    guid: str
    title: str
    kind: str
    path: str
    text: str
    imported_at: datetime


_HEAD = tuple(getattr(SourceRow, name) for name in SourceHead._fields)
_TEXT = tuple(getattr(SourceRow, name) for name in SourceText._fields)


def all_sources(connection: Connection) -> list[SourceHead]:
    """Return every document, the last imported first."""
    rows = connection.execute(
        select(*_HEAD).order_by(SourceRow.imported_at.desc(), SourceRow.id.desc())
    )
    return [SourceHead(*row) for row in rows]


def source_text(connection: Connection, guid: str) -> SourceText | None:
    """Return one document, or None."""
    row = connection.execute(select(*_TEXT).where(SourceRow.guid == guid)).one_or_none()
    return None if row is None else SourceText(*row)


def source_titles(connection: Connection) -> dict[int, str]:
    """Return the title of each document by its number."""
    return dict(connection.execute(select(SourceRow.id, SourceRow.title)).all())


def sources_named(connection: Connection, name: str) -> list[SourceHead]:
    """Return the document with this guid, or else all with this title."""
    for condition in (SourceRow.guid == name, SourceRow.title == name):
        found = connection.execute(select(*_HEAD).where(condition)).all()
        if found:
            return [SourceHead(*row) for row in found]
    return []


def has_sources(connection: Connection) -> bool:
    """Return whether anything was imported."""
    return connection.scalar(select(SourceRow.id).limit(1)) is not None
