"""The plan of an import: data, and the lines that show it.

A plan is made for one state of the database, known by its `last` rows, and is carried out only
while the database is in that state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from studyattn.errors import DocumentError
from studyattn.exchange.documents.draft import (
    NOT_READ,
    ExtractedQuestion,
    LearnedBefore,
    SourceLink,
    Understood,
)
from studyattn.exchange.documents.edits import Edits
from studyattn.exchange.documents.understanding import not_read, offered, understanding
from studyattn.packs.corrections import Correction
from studyattn.paths import shown
from studyattn.store.queries.imports import LastRows
from studyattn.text.counting import listed
from studyattn.text.render import plain


class PlannedChange(StrEnum):
    """The change of one thing."""

    NEW = "new"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    GONE = "gone"
    """No longer in the document; kept in the database all the same."""


_SIGNS = {
    PlannedChange.NEW: "+",
    PlannedChange.EDITED: "~",
    PlannedChange.UNCHANGED: " ",
    PlannedChange.GONE: "-",
}
_NAMES = {"sources": "source", "cards": "card", "notes": "note"}
_TOLD = {
    PlannedChange.NEW: "new",
    PlannedChange.EDITED: "edited",
    PlannedChange.GONE: "no longer there, kept",
}
_MARKS = frozenset("$\\*_`<[&")


@dataclass(frozen=True, slots=True)
class PlannedConcept:
    """A concept of the document; `row` is that of the database when it has it already."""

    change: PlannedChange
    slug: str
    title: str
    body: str
    state: str
    reason: str
    line: int
    row: int | None = None
    moves: bool = False
    """The document now says another state than it said at the last import."""
    corrections: tuple[Correction, ...] = ()
    """The corrections that contradict it. It is known-unknown then, whatever the document says."""


@dataclass(frozen=True, slots=True)
class PlannedCard:
    """A question with its answer; `row` is that of its item."""

    change: PlannedChange
    guid: str
    front: str
    back: str
    links: tuple[SourceLink, ...]
    digest: str
    concept: str
    """The slug of its concept."""
    line: int
    row: int | None = None
    before: str = ""
    """The question as it was, when it was reworded."""
    keeps_wording: bool = False
    """The learner edited the card: their wording stays."""
    key: str = ""
    """The question of the document that it is made of, in `edits.Edits`; empty if it is gone."""
    place: int = 0
    """Its place among the cards of that question."""
    tags: tuple[str, ...] = ()
    """The document's, for a new card."""
    learned: LearnedBefore | None = None
    """The memory with which a new card begins."""


@dataclass(frozen=True, slots=True)
class PlannedNote:
    """A section of a document without questions."""

    change: PlannedChange
    guid: str
    title: str
    body: str
    line: int
    row: int | None = None
    keeps_wording: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """A new concept that looks like one of a pack. Joined only on the learner's word."""

    slug: str
    title: str
    into: str
    into_title: str
    likeness: float
    line: int


@dataclass(frozen=True, slots=True)
class Caution:
    """A claim of the document that is known to be wrong, and what is right."""

    line: int
    title: str
    right: str


@dataclass(frozen=True, slots=True)
class PlannedSource:
    """One document and all that comes of it."""

    change: PlannedChange
    guid: str
    kind: str
    title: str
    path: str
    text: str
    digest: str
    front_matter: dict[str, Any]
    row: int | None = None
    questions: tuple[ExtractedQuestion, ...] = ()
    """As they are in the document."""
    cards: tuple[PlannedCard, ...] = ()
    concepts: tuple[PlannedConcept, ...] = ()
    notes: tuple[PlannedNote, ...] = ()
    joins: tuple[Join, ...] = ()
    cautions: tuple[Caution, ...] = ()
    unanswered: tuple[int, ...] = ()
    """Lines of questions without an answer, which cannot become cards."""
    edits: Edits = field(default_factory=dict)
    """The learner's edits of its questions."""
    skipped: tuple[ExtractedQuestion, ...] = ()
    """Those of which the learner wants no card."""
    understood: Understood = NOT_READ
    """How the document was read."""
    splits: Mapping[str, int] = field(default_factory=dict)
    """Questions, by key, whose answer has several parts, and how many cards these would be."""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All that an import would make."""

    sources: tuple[PlannedSource, ...]
    last: LastRows
    problems: tuple[DocumentError, ...] = ()
    """Documents of a folder that cannot be used. Nothing of them is imported."""
    copies: tuple[str, ...] = ()
    """Files that say word for word what another one says."""

    @property
    def joins(self) -> tuple[Join, ...]:
        """Every proposal to join an imported concept with one of a pack."""
        return tuple(join for source in self.sources for join in source.joins)

    @property
    def changes_nothing(self) -> bool:
        """True if carrying it out would leave the database as it is."""
        return all(source.change is PlannedChange.UNCHANGED for source in self.sources)

    def count(self, change: PlannedChange) -> dict[str, int]:
        """Return how many sources, cards, concepts by state, and notes have this change."""
        sources = self.sources
        return {
            "sources": sum(source.change is change for source in sources),
            "cards": sum(card.change is change for source in sources for card in source.cards),
            **{
                state: sum(
                    concept.change is change and concept.state == state
                    for source in sources
                    for concept in source.concepts
                )
                for state in ("known-unknown", "known")
            },
            "notes": sum(note.change is change for source in sources for note in source.notes),
        }

    def lines(self) -> list[str]:
        """The preview: each document, what would come of it with its line, and the sum."""
        lines: list[str] = []
        for source in self.sources:
            lines.extend([*_source_lines(source), ""])
        lines.extend(f"! {problem}" for problem in self.problems)
        lines.extend(f"= {copy}: says the same as another document" for copy in self.copies)
        if self.problems or self.copies:
            lines.append("")
        lines.append(self._sum())
        return lines

    def _sum(self) -> str:
        if self.changes_nothing:
            return "Nothing new to import."
        return "; ".join(f"{told}: {made}" for told, made in self.made())

    def made(self) -> Iterator[tuple[str, str]]:
        """Yield in words what becomes of how many things."""
        for change, told in _TOLD.items():
            counts = self.count(change).items()
            if made := listed(
                (many, _NAMES.get(key, f"{key} concept"), "") for key, many in counts
            ):
                yield told, made


def _source_lines(source: PlannedSource) -> Iterator[str]:
    yield f"{_SIGNS[source.change]} {_words(source.title)}  ({source.kind}, {source.change.value})"
    yield f"  {shown(source.path)}"
    if source.change is PlannedChange.UNCHANGED:
        return
    yield from (f"  {sentence}" for sentence in understanding(source.understood))
    for number, offer in enumerate(source.understood.offers, start=1):
        sentence, *examples = offered(offer)
        yield f"  Or {number}  ? {sentence}"
        yield from (f"  {'':>5}    {example}" for example in examples)
    entries = [
        *((card.line, text) for card in source.cards for text in _card_lines(card, source)),
        *((each.line, text) for each in source.concepts for text in _concept_lines(each)),
        *((note.line, _entry(note.change, "note", note.line, note.title)) for note in source.notes),
    ]
    yield from (text for _, text in sorted(entries, key=lambda entry: entry[0]))
    for skipped in source.skipped:
        yield f"  {skipped.line:>5}  · skipped        {_words(skipped.text)}"
    for line in source.unanswered:
        yield f"  {line:>5}  ! a question without an answer: no card"
    for line, why in not_read(source.understood):
        yield f"  {line:>5}  ! {why}"
    for join in source.joins:
        same = f"the same as “{_words(join.into_title)}”"
        yield f"  {join.line:>5}  ? {same} ({join.slug} INTO {join.into})"
    for caution in source.cautions:
        yield f"  {caution.line:>5}  ! {_words(caution.title)}: {_words(caution.right)}"


def _concept_lines(concept: PlannedConcept) -> Iterator[str]:
    yield _entry(concept.change, concept.state, concept.line, concept.title)
    for each in concept.corrections:
        yield f"  {'':>5}  ! corrected, so not known: {_words(each.title)}: {_words(each.right)}"


def _card_lines(card: PlannedCard, source: PlannedSource) -> Iterator[str]:
    before = f"  (was: {card.before})" if card.before else ""
    stays = "  (your wording is kept)" if card.keeps_wording else ""
    yield _entry(card.change, "card", card.line, f"{card.front}{before}{stays}")
    parts = source.splits.get(card.key, 0)
    if parts and card.key not in source.edits:
        yield f"  {'':>5}  ? its answer has {parts} parts, which could be {parts} cards"


def _entry(change: PlannedChange, kind: str, line: int, text: str) -> str:
    where = f"{line:>5}" if line else "    –"
    return f"  {where}  {_SIGNS[change]} {kind:<13}  {_words(text)}"


def _words(markdown: str) -> str:
    """One line of Markdown as the learner will see it. Most lines have no marks to be read."""
    text = plain(markdown) if _MARKS.intersection(markdown) else markdown
    return " ".join(text.split())
