"""The contents of a document before they are compared with the database. Pure values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from studyattn.exchange.memories import LearnedBefore
from studyattn.exchange.words import normalised

_REMARK = re.compile(r"\s+[-–—]\s+")

LONGEST_NAME: Final = 60
"""Characters of the part of a question or bullet that names its concept."""


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A link for further reading."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class ExtractedQuestion:
    """A question and its answer, as Markdown. Without an answer there is no card."""

    text: str
    answer: str
    line: int
    links: tuple[SourceLink, ...] = ()
    chosen: str = ""
    """The slug of the concept of a statement that it corrects; else the question names its own."""
    key: str = ""
    """Its key in `edits.Edits`, which a plan gives it."""
    asked: str = ""
    """The deck or heading that a card is under; or, where a card was edited, its first question.

    It names the concept.
    """
    tags: tuple[str, ...] = ()
    learned: LearnedBefore | None = None

    @property
    def concept(self) -> str:
        """The question's subject: the words before a dash, else the question itself."""
        return _name_of(self.asked or self.text, _REMARK).rstrip("?").strip()

    @property
    def remark(self) -> str:
        """The learner's remark after the dash."""
        parts = _REMARK.split(self.asked or self.text, maxsplit=1)
        return parts[1].strip() if len(parts) == 2 and len(parts[0]) <= LONGEST_NAME else ""


@dataclass(frozen=True, slots=True)
class Claim:
    """An idea that the document says is known, or known to be unknown."""

    text: str
    body: str
    state: str
    line: int

    @property
    def concept(self) -> str:
        """The idea's name: the text before a colon, else the whole bullet."""
        return _name_of(self.text, re.compile(r":\s+"))

    @property
    def words(self) -> str:
        """The words of the name, by which it is the same idea again."""
        return normalised(self.concept)


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A section of a document without questions."""

    title: str
    body: str
    line: int


@dataclass(frozen=True, slots=True)
class Unread:
    """Something of a document that looks like a card and became none."""

    line: int
    why: str
    """The reason, which several lines may share: "there is no answer"."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Another way to read a document, which was not chosen, and what it would add."""

    name: str
    """The choice of `--as`."""
    title: str
    lines: tuple[int, ...]
    cards: int
    examples: tuple[tuple[str, str], ...]
    """Questions and answers of the first two."""


@dataclass(frozen=True, slots=True)
class Understood:
    """The reading of a document."""

    name: str
    """The choice of `--as`."""
    title: str
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many cards of which kind, in words: "reversed" 3."""
    chosen: bool = False
    """The learner chose it: it was not recognised."""
    cards: int = 0
    unread: tuple[Unread, ...] = ()
    remarks: tuple[str, ...] = ()
    """What else was left out, in sentences."""
    offers: tuple[Offer, ...] = ()
    """The best other ways, the best first."""


NOT_READ: Final = Understood("note", "a note")


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """All that one document holds."""

    name: str
    kind: str
    """qa or note, or the ways in which its cards are written."""
    title: str
    text: str
    questions: tuple[ExtractedQuestion, ...]
    front_matter: dict[str, Any] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    notes: tuple[NoteDraft, ...] = ()
    headings: tuple[int, ...] = ()
    """The lines of the headings of the first two levels."""
    understood: Understood = NOT_READ


def _name_of(text: str, boundary: re.Pattern[str]) -> str:
    parts = boundary.split(text, maxsplit=1)
    if len(parts) == 2 and 0 < len(parts[0].strip()) <= LONGEST_NAME:
        return parts[0].strip()
    return text.strip()
