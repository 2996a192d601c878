"""The documents that a learner imported, to be listed and read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from studyattn.errors import NotFoundError
from studyattn.store.models import SourceRow
from studyattn.study.profile import Profile


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


def list_sources(profile: Profile) -> list[SourceLine]:
    """Every document, the last imported first."""
    columns = (SourceRow.guid, SourceRow.title, SourceRow.kind, SourceRow.imported_at)
    with profile.database.read() as connection:
        rows = connection.execute(
            select(*columns).order_by(SourceRow.imported_at.desc(), SourceRow.id.desc())
        )
        return [SourceLine(*row) for row in rows]


def show_source(profile: Profile, guid: str) -> SourceView:
    """One document. Raises NotFoundError."""
    with profile.database.read() as connection:
        row = connection.execute(
            select(
                SourceRow.guid,
                SourceRow.title,
                SourceRow.kind,
                SourceRow.path,
                SourceRow.text,
                SourceRow.imported_at,
            ).where(SourceRow.guid == guid)
        ).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no source {guid!r}", advice="`studyattn search --kind source` finds them."
        )
    return SourceView(*row)
