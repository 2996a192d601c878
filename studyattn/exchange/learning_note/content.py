"""The contents of the learning note: a selection from a snapshot, in order. Pure.

Shown are the learner's own and imported ideas and cards, and of the packs the ideas that the
learner has an opinion of (they are not unseen) with their cards. So a note that is read into
another home shows there what it showed here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import chain
from typing import Final

from studyattn.errors import NotFoundError
from studyattn.exchange.format import Selection
from studyattn.grouping import grouped
from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.model import Erratum
from studyattn.store.snapshot import (
    AttemptRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    Snapshot,
    SourceRecord,
)

UNSEEN, KNOWN_UNKNOWN, KNOWN = "unseen", "known-unknown", "known"
PASSED: Final = "passed"
NEXT_STEPS: Final = 5


@dataclass(frozen=True, slots=True)
class Idea:
    """A concept with how it came to its state, and the question behind it."""

    concept: ConceptRecord
    change: ConceptChangeRecord | None
    same_as: ConceptRecord | None
    question: ItemRecord | None
    corrections: tuple[Correction, ...] = ()
    """Corrections of its statement."""


@dataclass(frozen=True, slots=True)
class NoteQuestion:
    """A card, or several of one text (the gaps of one sentence), with the learner's notes."""

    items: tuple[ItemRecord, ...]
    notes: tuple[NoteRecord, ...]
    corrections: tuple[Correction, ...] = ()
    """Corrections of its answer."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The questions and notes of one concept."""

    concept: ConceptRecord
    questions: tuple[NoteQuestion, ...]
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class Drilled:
    """A drill that was passed, with the code of the last time, or that the learner wrote about."""

    item: ItemRecord
    attempt: AttemptRecord | None
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """A source with the notes on it."""

    source: SourceRecord
    notes: tuple[NoteRecord, ...]


@dataclass(frozen=True, slots=True)
class LearningNote:
    """All that a learning note shows."""

    changed: date | None
    """The day, in UTC, of the last change in what is shown; None when nothing is."""
    selection: Selection
    known: tuple[Idea, ...]
    known_unknown: tuple[Idea, ...]
    unseen: tuple[Idea, ...]
    topics: tuple[Topic, ...]
    notes: tuple[NoteRecord, ...]
    drills: tuple[Drilled, ...]
    origins: tuple[Origin, ...]
    next_steps: tuple[Idea, ...]
    context: tuple[ConceptRecord, ...]
    """Concepts that are named but not shown."""

    @property
    def ideas(self) -> tuple[Idea, ...]:
        """The ideas of all states."""
        return (*self.known, *self.known_unknown, *self.unseen)

    @property
    def questions(self) -> tuple[NoteQuestion, ...]:
        """The questions of all topics."""
        return tuple(chain.from_iterable(each.questions for each in self.topics))

    @property
    def passed(self) -> int:
        """Count how many of the drills were passed."""
        return sum(each.attempt is not None for each in self.drills)

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The text and address of each link, each address once."""
        found: dict[str, str] = {}
        for question in self.questions:
            for text, address in links_of(question.items[0]):
                found.setdefault(address, text)
        return tuple((text, address) for address, text in found.items())


def learning_note(
    snapshot: Snapshot, selection: Selection | None = None, errata: Iterable[Erratum] = ()
) -> LearningNote:
    """Return what a learning note shows of a snapshot, with what `errata` correct in it.

    Raises NotFoundError for no such part.
    """
    return _Choice(snapshot, selection or Selection(), tuple(errata)).note()


def links_of(item: ItemRecord) -> tuple[tuple[str, str], ...]:
    """The links of a card: text and address."""
    links = item.card.extra.get("links") if item.card else None
    if not isinstance(links, list):
        return ()
    return tuple(
        (str(link.get("text", "")), str(link.get("address", "")))
        for link in links
        if isinstance(link, dict) and link.get("address")
    )


class _Choice:
    """One pass over a snapshot."""

    def __init__(
        self, snapshot: Snapshot, selection: Selection, errata: tuple[Erratum, ...]
    ) -> None:
        self._selection = selection
        self._errata = errata
        self._concepts = {each.slug: each for each in snapshot.concepts}
        self._sources = {each.guid: each for each in snapshot.sources}
        self._refuse_unknown()
        self._part = {
            each.slug
            for each in snapshot.concepts
            if selection.concept in {None, each.slug, self._root(each).slug}
        }
        self._by_guid = {each.guid: each for each in snapshot.items}
        self._last = {each.concept: each for each in snapshot.changes}
        self._order = _order_of(snapshot.concepts)
        notes = [*filter(self._wants_note, snapshot.notes)]
        self._noted = {each.item for each in notes}
        self._items = sorted(
            filter(self._wants_item, snapshot.items),
            key=lambda each: (self._order[each.concept], each.position, each.guid),
        )
        self._attempts = {
            each.item_guid: each for each in filter(self._wants_attempt, snapshot.attempts)
        }
        self._notes_of = _by_place(notes)

    def note(self) -> LearningNote:
        ideas = [
            self._idea(each)
            for each in sorted(self._concepts.values(), key=lambda each: self._order[each.slug])
            if self._wants_concept(each)
        ]
        by_state = {
            state: tuple(idea for idea in ideas if idea.concept.state == state)
            for state in (KNOWN, KNOWN_UNKNOWN, UNSEEN)
        }
        note = LearningNote(
            changed=None,
            selection=self._selection,
            known=by_state[KNOWN],
            known_unknown=by_state[KNOWN_UNKNOWN],
            unseen=by_state[UNSEEN],
            topics=tuple(self._topics()),
            notes=tuple(self._notes_of.pop(("", ""), ())),
            drills=tuple(self._drilled()),
            origins=(),
            next_steps=by_state[KNOWN_UNKNOWN][:NEXT_STEPS],
            context=(),
        )
        note = replace(note, origins=tuple(self._origins(note)))
        changed = max(map(_day, _stamps(note)), default=None)
        return replace(note, context=tuple(self._context(note)), changed=changed)

    # -- what is wanted ----------------------------------------------------------------------------

    def _refuse_unknown(self) -> None:
        concept, source = self._selection.concept, self._selection.source
        if concept is not None and concept not in self._concepts:
            raise NotFoundError(
                f"there is no concept {concept!r}",
                advice="`studyattn concept list` lists them.",
            )
        if source is not None and source not in self._sources:
            known = ", ".join(sorted(self._sources))
            raise NotFoundError(
                f"there is no source {source!r}",
                advice=f"There are: {known}" if known else "Nothing was imported yet.",
            )

    def _root(self, concept: ConceptRecord) -> ConceptRecord:
        return self._concepts.get(concept.joined_into or "", concept)

    def _wants_concept(self, concept: ConceptRecord) -> bool:
        chosen = self._selection
        if concept.retired or concept.slug not in self._part:
            return False
        if chosen.source not in {None, concept.source} or not self._is_recent(concept):
            return False
        opinion = concept.state != UNSEEN or concept.joined_into is not None
        return concept.pack is None or opinion

    def _is_recent(self, concept: ConceptRecord, *stamps: datetime | None) -> bool:
        """Return whether a concept was moved, or something on it made, since the chosen day."""
        change = self._last.get(concept.slug)
        return any(map(self._is_since, (*stamps, change.at if change else None)))

    def _is_since(self, at: datetime | None) -> bool:
        since = self._selection.since
        return since is None or (at is not None and _day(at) >= since)

    def _wants_item(self, item: ItemRecord) -> bool:
        concept, noted = self._concepts[item.concept], item.guid in self._noted
        if item.card is None or concept.slug not in self._part:
            return False
        if self._selection.source not in {None, item.source}:
            return False
        if noted or item.retired:
            return noted
        made = item.created_at if item.pack is None else None
        edited = item.card.edited_at
        held = {concept.state, self._root(concept).state} != {UNSEEN}
        return self._is_recent(concept, made, edited) and bool(made or edited or held)

    def _wants_attempt(self, attempt: AttemptRecord) -> bool:
        return attempt.verdict == PASSED and self._is_since(attempt.at)

    def _wants_note(self, note: NoteRecord) -> bool:
        chosen = self._selection
        concept, source = note.concept, note.source
        if note.item is not None and (chosen.concept or chosen.source):
            item = self._by_guid[note.item]
            concept, source = item.concept, item.source
        if chosen.concept is not None and concept not in self._part:
            return False
        if chosen.source not in {None, source}:
            return False
        return self._is_since(note.updated_at)

    # -- what is shown of it -----------------------------------------------------------------------

    def _idea(self, concept: ConceptRecord) -> Idea:
        root = self._root(concept)
        own = (each for each in self._items if each.concept == concept.slug)
        joined = (each for each in self._items if each.concept == root.slug)
        asked = next(own, None)
        return Idea(
            concept=concept,
            change=self._last.get(concept.slug),
            same_as=None if root is concept else root,
            question=asked or next(joined, None),
            corrections=self._statement_corrections(concept, asked),
        )

    def _statement_corrections(
        self, concept: ConceptRecord, asked: ItemRecord | None
    ) -> tuple[Correction, ...]:
        """Return the corrections of a concept's statement, none if a card asks about it."""
        is_question = asked and asked.card and asked.card.front.startswith(concept.title)
        if concept.pack is not None or is_question:
            return ()
        source = self._source_title(concept.source)
        return correct_statement(concept.title, concept.body, source, self._errata)

    def _source_title(self, guid: str | None) -> str:
        source = self._sources.get(guid or "")
        return source.title if source else ""

    def _topics(self) -> Iterator[Topic]:
        by_concept = grouped((item.concept, item) for item in self._items)
        noted = {name for kind, name in self._notes_of if kind == "concept"}
        for slug in sorted({*by_concept, *noted}, key=lambda each: self._order[each]):
            yield Topic(
                concept=self._concepts[slug],
                questions=tuple(self._questions(by_concept[slug])),
                notes=tuple(self._notes_of.get(("concept", slug), ())),
            )

    def _questions(self, items: Iterable[ItemRecord]) -> Iterator[NoteQuestion]:
        """Siblings of one text that follow each other are one question."""
        together: list[ItemRecord] = []
        for item in items:
            if together and _text(together[-1]) != _text(item):
                yield self._question(together)
                together = []
            together.append(item)
        if together:
            yield self._question(together)

    def _question(self, items: list[ItemRecord]) -> NoteQuestion:
        notes = [note for each in items for note in self._notes_of.get(("item", each.guid), ())]
        first = items[0]
        corrections: tuple[Correction, ...] = ()
        if first.card is not None and first.pack is None:
            source = self._source_title(first.source)
            corrections = correct_answer(first.card.back, source, self._errata)
        return NoteQuestion(tuple(items), tuple(notes), corrections)

    def _drilled(self) -> Iterator[Drilled]:
        shown = () if self._selection.source else {*self._attempts, *self._noted}
        drills = [
            each
            for each in self._by_guid.values()
            if each.card is None and each.concept in self._part and each.guid in shown
        ]
        for drill in sorted(drills, key=lambda each: (self._order[each.concept], each.guid)):
            notes = self._notes_of.get(("item", drill.guid), ())
            yield Drilled(drill, self._attempts.get(drill.guid), tuple(notes))

    def _origins(self, note: LearningNote) -> Iterator[Origin]:
        named = {each.source for each in self._items}
        named |= {idea.concept.source for idea in note.ideas}
        named |= {name for kind, name in self._notes_of if kind == "source"}
        whole = self._selection == Selection()
        for source in sorted(
            self._sources.values(), key=lambda each: (each.imported_at, each.title, each.guid)
        ):
            if whole or source.guid in named:
                yield Origin(source, tuple(self._notes_of.get(("source", source.guid), ())))

    def _context(self, note: LearningNote) -> Iterator[ConceptRecord]:
        """Yield the concepts that something shown refers to, and what those are joined into."""
        shown = {idea.concept.slug for idea in note.ideas}
        named = {topic.concept.slug for topic in note.topics}
        named |= {drilled.item.concept for drilled in note.drills}
        for slug in [*shown, *named]:
            concept = self._concepts[slug]
            named |= {concept.joined_into} if concept.joined_into else set()
            named |= set(concept.requires) if concept.pack is None else set()
        for slug in sorted(named - shown):
            if slug in self._concepts:
                yield self._concepts[slug]


def _order_of(concepts: Iterable[ConceptRecord]) -> dict[str, int]:
    """Number the packs' concepts along their paths, then the learner's own as they came."""
    path = sorted(
        concepts, key=lambda each: (each.pack is None, each.pack or "", each.position, each.slug)
    )
    return {each.slug: place for place, each in enumerate(path)}


def _by_place(notes: Iterable[NoteRecord]) -> dict[tuple[str, str], list[NoteRecord]]:
    """Group notes by what they are shown with: a card or drill, a concept, a source, or nothing."""
    found: defaultdict[tuple[str, str], list[NoteRecord]] = defaultdict(list)
    for note in sorted(notes, key=lambda each: (each.created_at, each.guid)):
        places = (("item", note.item), ("concept", note.concept), ("source", note.source))
        found[next(((kind, name) for kind, name in places if name), ("", ""))].append(note)
    return found


def _text(item: ItemRecord) -> tuple[object, ...]:
    card = item.card
    if card is None:
        return ()
    return (card.kind, card.front, card.back, card.answer)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _stamps(note: LearningNote) -> Iterator[datetime]:
    """Yield when something of what is shown was made or changed."""
    others: tuple[Topic | NoteQuestion | Drilled | Origin, ...]
    others = (*note.topics, *note.questions, *note.drills, *note.origins)
    for noted in (note, *others):
        yield from (each.updated_at for each in noted.notes)
    for question in note.questions:
        yield from chain.from_iterable(map(_stamps_of, question.items))
    yield from (idea.change.at for idea in note.ideas if idea.change)
    yield from (each.attempt.at for each in note.drills if each.attempt)
    yield from (each.source.imported_at for each in note.origins)


def _stamps_of(item: ItemRecord) -> Iterator[datetime]:
    if item.pack is None:
        yield item.created_at
    if item.card is not None and item.card.edited_at is not None:
        yield item.card.edited_at
