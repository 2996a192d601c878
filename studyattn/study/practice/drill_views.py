"""The views of practice, as values: versions of the code, verdicts, cards brought back.

No SQLAlchemy here, so that an interface can import the types before it has drawn anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from studyattn.study.rules.mistakes import diagnosed
from studyattn.text.counting import come_before

if TYPE_CHECKING:
    from studyattn.study.rules.evidence import Suggestion


class FileState(StrEnum):
    """The state of the learner's file on disk."""

    READY = "ready"
    MISSING = "missing"
    FOLDER = "folder"  # a folder has its name
    UNREADABLE = "unreadable"


class VersionKind(StrEnum):
    """Why a version of the code was kept."""

    ATTEMPT = "attempt"  # it was graded
    KEPT = "kept"  # something else was about to take its place in the file


class CodeVersion(NamedTuple):
    """One version of the learner's code for a drill."""

    number: int  # 1 is the oldest, through all series
    kind: VersionKind
    uuid: str
    at: datetime  # aware, UTC
    verdict: str | None  # of an attempt: passed | wrong | error | timeout | …
    code: str
    hints: int  # seen when it was handed in
    revealed: bool  # the solution had been looked at
    seconds: float  # of work since the version before
    current: bool  # belongs to the series that is not rated yet
    report: Mapping[str, Any]  # `Report.to_json`

    @property
    def misconceptions(self) -> tuple[str, ...]:
        """Ids of the mistakes that were recognised in it."""
        return diagnosed(self.report)

    @property
    def message(self) -> str:
        """Why it was not passed, where no case says so; as in a report."""
        return str(self.report.get("message", ""))


class CardBack(NamedTuple):
    """A card that a mistake in code made due."""

    guid: str
    title: str  # the first line of its front
    concept_slug: str
    misconception: str
    reason: str  # a sentence: which mistake in which drill
    at: datetime


class MistakenConcept(NamedTuple):
    """The concept that a mistake belongs to."""

    slug: str
    title: str


class OfferedLesson(NamedTuple):
    """The lesson of a mistake's concept that was never begun."""

    slug: str
    title: str
    number: int  # its place on the path, from 1
    of: int  # lessons of the path
    before: tuple[str, ...]  # titles of the concepts that it builds on and that were not begun

    @property
    def sentence(self) -> str:
        """Say where the concept is explained, and what comes before it."""
        first = come_before(self.before)
        where = f"{self.title} is explained in lesson {self.number} of {self.of}"
        return f"{where}: {first}" if first else f"{where}."


class RecordedAttempt(NamedTuple):
    """The outcome of handing in an attempt."""

    version: int  # its number in the history
    verdict: str
    misconceptions: tuple[str, ...] = ()  # recognised in it
    concepts: tuple[MistakenConcept, ...] = ()  # that they belong to, each once
    brought_back: tuple[CardBack, ...] = ()  # cards that became due by it
    waiting: tuple[CardBack, ...] = ()  # all that cure it and are due because of it or before
    suggestions: tuple[Suggestion, ...] = ()  # of the concepts' states, with their reasons
    lessons: tuple[OfferedLesson, ...] = ()  # of the concepts among them that were never begun
