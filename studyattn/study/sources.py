"""The documents that a learner imported, to be listed and read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from studyattn.errors import NotFoundError
from studyattn.store.models import Source
from studyattn.study.learner import Learner


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A document in a list."""

    guid: str
    title: str
    kind: str  # qa | note | post | slides | summary
    imported_at: datetime


@dataclass(frozen=True, slots=True)
class SourceView:
    """A document, whole. `text` is as it was imported."""

    guid: str
    title: str
    kind: str
    path: str
    text: str
    imported_at: datetime


def list_sources(learner: Learner) -> list[SourceLine]:
    """Every document, the last imported first."""
    columns = (Source.guid, Source.title, Source.kind, Source.imported_at)
    with learner.database.read() as connection:
        rows = connection.execute(
            select(*columns).order_by(Source.imported_at.desc(), Source.id.desc())
        )
        return [SourceLine(*row) for row in rows]


def show_source(learner: Learner, guid: str) -> SourceView:
    """One document. Raises NotFoundError."""
    with learner.database.read() as connection:
        row = connection.execute(
            select(
                Source.guid,
                Source.title,
                Source.kind,
                Source.path,
                Source.text,
                Source.imported_at,
            ).where(Source.guid == guid)
        ).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no source {guid!r}", advice="`studyattn search --kind source` finds them."
        )
    return SourceView(*row)
