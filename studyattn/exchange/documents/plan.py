"""The plan of an import: data, and the lines that show it.

A plan is made for one state of the database, known by its `last` rows, and is carried out only
while the database is in that state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any, Final, NamedTuple

from studyattn.errors import InputError
from studyattn.exchange.documents.dialects import DIALECTS, NOTE, QUESTIONS
from studyattn.exchange.documents.draft import ExtractedQuestion, Offer, SourceLink, Understood
from studyattn.exchange.documents.edits import Edits
from studyattn.exchange.memories import LearnedBefore
from studyattn.grouping import grouped
from studyattn.packs.corrections import Correction
from studyattn.paths import shown
from studyattn.text.counting import count, listed
from studyattn.text.render import plain


class PlannedChange(StrEnum):
    """The change of one thing."""

    NEW = "new"
    EDITED = "edited"
    UNCHANGED = "unchanged"
    GONE = "gone"
    """No longer in the document; kept in the database all the same."""
    SKIPPED = "skipped"
    """The learner wants no card of it."""

    @property
    def sign(self) -> str:
        """The sign in front of its line."""
        return _SIGNS[self]


_SIGNS = dict(zip(PlannedChange, "+~ -·", strict=True))
_COUNTED = {
    "sources": "source",
    "cards": "card",
    "known-unknown": "known-unknown concept",
    "known": "known concept",
    "notes": "note",
}
_TOLD = {
    PlannedChange.NEW: "new",
    PlannedChange.EDITED: "edited",
    PlannedChange.GONE: "no longer there, kept",
}
_MARKS = frozenset("$\\*_`<[&")
_MOST_LINES: Final = 8
_LONGEST: Final = 60
"""Characters of one side of an example."""


class Entry(NamedTuple):
    """A line of the preview: a thing and what becomes of it, or a remark."""

    line: int
    """The line of the document, 0 for what is no longer there."""
    sign: str
    """That of a change, or `?` for a proposal and `!` for a warning."""
    text: str
    kind: str = ""
    """The name of the thing; a remark has none."""
    right: str = ""
    """The right statement, where the text is about a wrong one."""
    card: PlannedCard | None = None
    """The card that it is about."""
    join: str = ""
    """The slug of the concept that would be joined."""


@dataclass(frozen=True, slots=True)
class PlannedConcept:
    """A concept of the document; `row` is that of the database when it has it already."""

    title: str
    body: str
    state: str
    reason: str = ""
    line: int = 0
    corrections: tuple[Correction, ...] = ()
    """The corrections that contradict it. It is known-unknown then, whatever the document says."""
    change: PlannedChange = PlannedChange.NEW
    slug: str = ""
    row: int | None = None
    moves: bool = False
    """The document now says another state than it said at the last import."""
    into: str = ""
    """The slug of a pack's concept that a new one looks like. Joined only on the learner's word."""
    into_title: str = ""

    def entries(self) -> Iterator[Entry]:
        """Yield its line of the preview, and the remarks on it."""
        yield Entry(self.line, self.change.sign, self.title, self.state)
        for each in self.corrections:
            told = f"corrected, so not known: {each.title}"
            yield Entry(self.line, "!", told, right=each.right)
        if self.into:
            same = f"the same as “{self.into_title}” ({self.slug} INTO {self.into})"
            yield Entry(self.line, "?", same, join=self.slug)


@dataclass(frozen=True, slots=True)
class PlannedCard:
    """A question with its answer; `row` is that of its item."""

    change: PlannedChange
    guid: str
    front: str
    back: str
    concept: str = ""
    """The slug of its concept."""
    line: int = 0
    row: int | None = None
    digest: str = ""
    before: str = ""
    """The question as it was, when it was reworded."""
    keeps_wording: bool = False
    """The learner edited the card: their wording stays."""
    key: str = ""
    """The question of the document that it is made of, in `edits.Edits`; empty if it is gone."""
    place: int = 0
    """Its place among the cards of that question."""
    parts: int = 1
    """The cards that the parts of its answer could be."""
    links: tuple[SourceLink, ...] = ()
    tags: tuple[str, ...] = ()
    """The document's, for a new card."""
    learned: LearnedBefore | None = None
    """The memory with which a new card begins."""

    def entries(self) -> Iterator[Entry]:
        """Yield its line of the preview, and the remark on it."""
        before = f"  (was: {self.before})" if self.before else ""
        stays = "  (your wording is kept)" if self.keeps_wording else ""
        kind = "left out" if self.change is PlannedChange.SKIPPED else "card"
        yield Entry(self.line, self.change.sign, f"{self.front}{before}{stays}", kind, card=self)
        if self.parts > 1:
            split = f"its answer has {self.parts} parts, which could be {self.parts} cards"
            yield Entry(self.line, "?", split, card=self)


@dataclass(frozen=True, slots=True)
class PlannedNote:
    """A section of a document without questions."""

    change: PlannedChange
    guid: str
    title: str
    body: str
    line: int = 0
    row: int | None = None
    keeps_wording: bool = False

    def entries(self) -> Iterator[Entry]:
        """Yield its line of the preview."""
        yield Entry(self.line, self.change.sign, self.title, "note")


@dataclass(frozen=True, slots=True)
class Caution:
    """A claim of the document that is known to be wrong, and what is right."""

    line: int
    title: str
    right: str


@dataclass(slots=True)
class PlannedSource:
    """One document and all that comes of it, to which the planner adds."""

    change: PlannedChange
    guid: str
    kind: str
    title: str
    path: str
    text: str
    digest: str
    front_matter: dict[str, Any]
    row: int | None
    understood: Understood
    """How the document was read."""
    edits: Edits
    """The learner's edits of its questions."""
    questions: list[ExtractedQuestion]
    """As they are in the document, and those that ask what is wrong with its statements."""
    cards: list[PlannedCard] = field(default_factory=list)
    concepts: list[PlannedConcept] = field(default_factory=list)
    notes: list[PlannedNote] = field(default_factory=list)
    cautions: list[Caution] = field(default_factory=list)
    unanswered: list[int] = field(default_factory=list)
    """Lines of questions without an answer, which cannot become cards."""
    skipped: list[PlannedCard] = field(default_factory=list)
    """Questions of which the learner wants no card."""

    def entries(self) -> list[Entry]:
        """Return the lines of its preview, in the order of the document."""
        things: tuple[PlannedCard | PlannedConcept | PlannedNote, ...]
        things = (*self.cards, *self.skipped, *self.concepts, *self.notes)
        found = [entry for thing in things for entry in thing.entries()]
        no_card = "a question without an answer: no card"
        found += [Entry(line, "!", no_card) for line in self.unanswered]
        found += [Entry(line, "!", why) for line, why in not_read(self.understood)]
        found += [Entry(each.line, "!", each.title, right=each.right) for each in self.cautions]
        found.sort(key=lambda entry: entry.line)
        return [each._replace(text=_words(each.text), right=_words(each.right)) for each in found]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All that an import would make."""

    sources: tuple[PlannedSource, ...]
    last: Mapping[str, int]
    """The last row of each table: the state of the database."""
    problems: tuple[InputError, ...] = ()
    """Documents of a folder that cannot be used. Nothing of them is imported."""
    copies: tuple[str, ...] = ()
    """Files that say word for word what another one says."""

    @property
    def cards(self) -> Iterator[PlannedCard]:
        """The cards, in the order of the documents."""
        return chain.from_iterable(source.cards for source in self.sources)

    @property
    def concepts(self) -> Iterator[PlannedConcept]:
        """The concepts, in the order of the documents."""
        return chain.from_iterable(source.concepts for source in self.sources)

    @property
    def joins(self) -> dict[str, PlannedConcept]:
        """The concepts that could be joined with one of a pack, by slug."""
        return {each.slug: each for each in self.concepts if each.into}

    @property
    def new_cards(self) -> tuple[str, ...]:
        """Guids of the new cards, in the order of the documents."""
        return tuple(card.guid for card in self.cards if card.change is PlannedChange.NEW)

    @property
    def changes_nothing(self) -> bool:
        """True if carrying it out would leave the database as it is."""
        return all(source.change is PlannedChange.UNCHANGED for source in self.sources)

    def numbers(self) -> dict[PlannedChange, dict[str, int]]:
        """Return how many sources, cards, concepts by state, and notes are changed, by change."""
        found: Counter[tuple[PlannedChange, str]] = Counter()
        for source in self.sources:
            found[source.change, "sources"] += 1
            found.update((each.change, "cards") for each in source.cards)
            found.update((each.change, each.state) for each in source.concepts)
            found.update((each.change, "notes") for each in source.notes)
        return {change: {name: found[change, name] for name in _COUNTED} for change in _TOLD}

    def made(self, joined: int = 0) -> Iterator[tuple[str, str]]:
        """Yield in words what becomes of how many things; `joined` concepts are joined."""
        for change, counts in self.numbers().items():
            if made := listed((many, _COUNTED[name], "") for name, many in counts.items()):
                yield _TOLD[change], made
        if joined:
            yield "joined", listed([(joined, "concept", "")])

    def lines(self) -> list[str]:
        """The preview: each document, what would come of it with its line, and the sum."""
        lines: list[str] = []
        for source in self.sources:
            lines.extend([*_source_lines(source), ""])
        lines.extend(f"! {problem}" for problem in self.problems)
        lines.extend(f"= {copy}: says the same as another document" for copy in self.copies)
        if self.problems or self.copies:
            lines.append("")
        made = "; ".join(f"{told}: {made}" for told, made in self.made())
        lines.append("Nothing new to import." if self.changes_nothing else made)
        return lines


def _source_lines(source: PlannedSource) -> Iterator[str]:
    about = f"({source.kind}, {source.change.value})"
    yield f"{source.change.sign} {_words(source.title)}  {about}"
    yield f"  {shown(source.path)}"
    if source.change is PlannedChange.UNCHANGED:
        return
    yield from (f"  {sentence}" for sentence in understanding(source.understood))
    for number, offer in enumerate(source.understood.offers, start=1):
        sentence, *examples = offered(offer)
        yield f"  Or {number}  ? {sentence}"
        yield from (f"  {'':>5}    {example}" for example in examples)
    for entry in source.entries():
        kind = f"{entry.kind:<13}  " if entry.kind else ""
        right = f": {entry.right}" if entry.right else ""
        yield f"  {entry.line or '–':>5}  {entry.sign} {kind}{entry.text}{right}"


def _words(markdown: str) -> str:
    """One line of Markdown as the learner will see it. Most lines have no marks to be read."""
    text = plain(markdown) if _MARKS.intersection(markdown) else markdown
    return " ".join(text.split())


def understanding(understood: Understood) -> Iterator[str]:
    """Yield sentences: how the document was read, what was left out of it, and why."""
    if understood.name == NOTE:
        tried = [name for name, each in DIALECTS.items() if not each.suffixes]
        names = ", ".join((QUESTIONS, *tried))
        yield f"Read as a note: it has no cards. Looked for {names} (--as)."
    else:
        kinds = [
            f"{number} {'gaps' if kind == 'gap' and number > 1 else kind}"
            for kind, number in understood.kinds.items()
            if number
        ]
        inside = f" ({', '.join(kinds)})" if kinds else ""
        yield f"Read as {understood.title}: {count(understood.cards, 'card')}{inside}."
    yield from (f"{remark}." for remark in understood.remarks)


def not_read(understood: Understood) -> Iterator[tuple[int, str]]:
    """Yield what looks like cards and became none: the first line of each, and a sentence."""
    reasons = grouped((each.why, each.line) for each in understood.unread)
    for why, lines in sorted(reasons.items(), key=lambda each: each[1][0]):
        yield lines[0], f"no card: {why} ({at_lines(lines)})"


def offered(offer: Offer) -> Iterator[str]:
    """Yield how a document could be read otherwise: a sentence, and two of its cards."""
    where = f"--as {offer.name}, {at_lines(offer.lines)}"
    yield f"{count(offer.cards, 'card')}: {offer.title} ({where})"
    for front, back in offer.examples:
        yield f"{_short(front)} → {_short(back)}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def at_lines(lines: Sequence[int]) -> str:
    """Return "line 3", or "lines 3, 7, 9"; of many lines the first."""
    told = ", ".join(map(str, lines[:_MOST_LINES]))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return f"line {told}" if len(lines) == 1 else f"lines {told}{more}"
