"""The part of a learner's data that an export shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Selection:
    """A part: everything, or what belongs to a concept or a source, or changed since a day."""

    concept: str | None = None
    """A slug; ideas that are joined into it belong to it."""
    source: str | None = None
    """A guid."""
    since: date | None = None
    """A day in UTC."""
