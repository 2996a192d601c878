"""Sources: the documents that a learner imported."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from studyattn.store.sql import Connection, Statements, row, rows, value


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


_SQL = Statements(__file__, HEAD=", ".join(SourceHead._fields))


def all_sources(connection: Connection) -> list[SourceHead]:
    """Return every document, the last imported first."""
    return rows(connection, SourceHead, _SQL.all_sources)


def source_text(connection: Connection, guid: str) -> SourceText | None:
    """Return one document, or None."""
    return row(connection, SourceText, _SQL.source_text, guid=guid)


def source_titles(connection: Connection) -> dict[int, str]:
    """Return the title of each document by its number."""
    return dict(rows(connection, tuple[int, str], _SQL.source_titles))


def sources_named(connection: Connection, name: str) -> list[SourceHead]:
    """Return the document with this guid, or else all with this title."""
    found = rows(connection, SourceHead, _SQL.source_with_guid, name=name)
    return found or rows(connection, SourceHead, _SQL.sources_with_title, name=name)


def has_sources(connection: Connection) -> bool:
    """Return whether anything was imported."""
    return value(connection, _SQL.has_sources) is not None
