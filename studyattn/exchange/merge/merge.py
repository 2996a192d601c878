"""Merge two databases of one learner. Pure.

Everything is joined by a rule that does not ask which database came first, so machines may be
merged in any order, in any groups, and as often as one likes:

    reviews, attempts, changes, earlier wordings    the union
    a card's or note's text                         the latest wording; others stay as earlier ones
    a concept's state                               that of the side which decided last
    whatever else a learner decides                 the last decision (`decided`)
    where an item's memory begins                   the later instant
    what came from Anki                             as it was changed there later
    what a document says                            that of the later import

The learner's own come out the same everywhere. What a pack says is left to the pack that this side
has installed, also where the learner takes a wording back, and a setting of one machine to that
machine: both stay as they are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from msgspec.structs import astuple, replace

from studyattn.errors import InputError
from studyattn.exchange.merge.decided import Decided, by_name, record_name, settled
from studyattn.store.decisions import decision_key
from studyattn.store.snapshot import (
    AnkiCardRecord,
    AnkiNoteRecord,
    AnkiTypeRecord,
    CardRecord,
    ConceptRecord,
    ItemRecord,
    MemoryStartRecord,
    NoteRecord,
    Record,
    ReviewRecord,
    Snapshot,
    SourceRecord,
    WordingRecord,
    card_wording,
    note_wording,
    present_wordings,
)
from studyattn.store.vocabulary import STATES

_NEVER = datetime.min.replace(tzinfo=UTC)

Thing = TypeVar("Thing", bound=Record)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A card or note that both sides reworded apart. `other` is kept among its earlier wordings."""

    guid: str
    kept: WordingRecord
    other: WordingRecord
    kept_is_ours: bool
    is_card: bool

    def wording(self, side: str) -> WordingRecord:
        """Return the wording of a side: `here`, `there`, or the `later` one."""
        is_kept = side == "later" or (side == "here") == self.kept_is_ours
        return self.kept if is_kept else self.other


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Two snapshots in one, and where both had changed the same text."""

    snapshot: Snapshot
    conflicts: tuple[Conflict, ...] = ()


def merge(ours: Snapshot, theirs: Snapshot) -> MergeResult:
    """Return all of both.

    Raises InputError where they contradict each other in what never changes.
    """
    stored = {decision_key(each) for each in (*ours.decisions, *theirs.decisions)}
    # An item of one side alone on which nothing was decided stays as it is.
    met = {each.guid for each in ours.items} & {each.guid for each in theirs.items}
    met |= {name for _, name, _ in stored}
    ours, theirs = settled(ours, met), settled(theirs, met)
    decided = Decided(ours, theirs)
    texts = _Texts(ours, theirs, decided)
    brought_back = _by_name(ours.brought_back, theirs.brought_back, _greater)
    snapshot = Snapshot(
        sources=_by_name(ours.sources, theirs.sources, _source),
        concepts=tuple(decided.concepts(_concepts(ours, theirs))),
        # A change as often as the side has it that has it more often.
        changes=tuple(
            sorted((Counter(ours.changes) | Counter(theirs.changes)).elements(), key=astuple)
        ),
        items=tuple(
            decided.item(texts.without_taken_back(each)) for each in _items(ours, theirs, texts)
        ),
        notes=texts.notes(ours.notes, theirs.notes),
        wordings=texts.earlier(),
        reviews=_by_name(ours.reviews, theirs.reviews, same_review),
        starts=_by_name(ours.starts, theirs.starts, _later_start),
        anki_types=_by_name(ours.anki_types, theirs.anki_types, _later_in_anki),
        anki_notes=_by_name(ours.anki_notes, theirs.anki_notes, _later_in_anki),
        anki_cards=_by_name(ours.anki_cards, theirs.anki_cards, _later_in_anki),
        attempts=_by_name(ours.attempts, theirs.attempts, _greater),
        steps=_by_name(ours.steps, theirs.steps, _greater),
        brought_back=tuple(decided.brought_back(each) for each in brought_back),
        settings=decided.settings(ours.settings),
        decisions=decided.records(stored),
    )
    return MergeResult(snapshot.ordered(), tuple(texts.conflicts))


def _by_name(
    ours: Iterable[Thing],
    theirs: Iterable[Thing],
    join: Callable[[Thing, Thing], Thing],
) -> tuple[Thing, ...]:
    """Each thing once; `join` says what the same one on both sides comes to."""
    joined = by_name(ours)
    for each in theirs:  # of which two may have one name
        name = record_name(each)
        joined[name] = join(joined[name], each) if name in joined else each
    return tuple(joined.values())


def _canonical(thing: Any) -> str:
    """A text that is the same for equal things and different for others: an order for ties."""
    return json.dumps(thing, sort_keys=True, default=str, ensure_ascii=False)


def _greater(mine: Thing, other: Thing) -> Thing:
    return max(mine, other, key=repr)


def same_review(mine: ReviewRecord, other: ReviewRecord) -> ReviewRecord:
    """A row of the log is the same everywhere but for how it got there. Raises InputError."""
    if replace(mine, origin="") != replace(other, origin=""):
        raise two_reviews(mine.uuid)
    return mine


def two_reviews(uuid: str) -> InputError:
    """Return the error for two reviews of one name."""
    return InputError(
        f"two different reviews are named {uuid}",
        advice="One of the two logs was changed from outside; nothing was merged",
    )


def _later_start(mine: MemoryStartRecord, other: MemoryStartRecord) -> MemoryStartRecord:
    return max(mine, other, key=lambda each: (each.at, repr(each)))


AnkiRecord = TypeVar("AnkiRecord", AnkiTypeRecord, AnkiNoteRecord, AnkiCardRecord)


def _later_in_anki(mine: AnkiRecord, other: AnkiRecord) -> AnkiRecord:
    """Return what Anki changed later; of a card the longer log, which only grows there."""
    return max(
        mine, other, key=lambda each: (each.changed, len(getattr(each, "log", "")), repr(each))
    )


def _source(mine: SourceRecord, other: SourceRecord) -> SourceRecord:
    """The later import; a source whose text did not travel along yields to one that has it."""
    return max(
        mine,
        other,
        key=lambda each: (
            bool(each.text),
            each.imported_at,
            each.digest,
            each.text,
            each.path,
            _canonical(each.front_matter),
            _canonical(each.edits),
            each.title,
            each.kind,
        ),
    )


# -- concepts --------------------------------------------------------------------------------------


def _concepts(ours: Snapshot, theirs: Snapshot) -> tuple[ConceptRecord, ...]:
    decided = (_last_change(ours), _last_change(theirs))
    told_by = _last_import(ours, theirs, _concept_order)

    def join(mine: ConceptRecord, other: ConceptRecord) -> ConceptRecord:
        state = max(
            (decided[0].get(mine.slug, _NEVER), STATES.index(mine.state)),
            (decided[1].get(other.slug, _NEVER), STATES.index(other.state)),
        )[1]
        told = mine
        if mine.pack is None:
            requires = tuple(sorted({*mine.requires, *other.requires}))
            told = replace(told_by(mine, other), requires=requires)
        return replace(told, state=STATES[state])

    concepts = _by_name(ours.concepts, theirs.concepts, join)
    moved = _moves(ours, *decided) | _moves(theirs, *reversed(decided))
    return tuple(
        replace(each, state=moved[each.slug]) if each.slug in moved else each for each in concepts
    )


def _moves(
    side: Snapshot, last: Mapping[str, datetime], elsewhere: Mapping[str, datetime]
) -> dict[str, str]:
    """Return the states of concepts that a side has moved last without having them, by slug."""
    there = {each.slug for each in side.concepts}
    states: dict[str, str] = {}
    for each in side.changes:
        slug = each.concept
        is_last = each.at == last[slug] > elsewhere.get(slug, _NEVER)
        if slug not in there and is_last:
            states[slug] = max(states.get(slug, each.to_state), each.to_state, key=STATES.index)
    return states


def _concept_order(concept: ConceptRecord) -> tuple[Any, ...]:
    return (
        concept.pack or "",
        concept.title,
        concept.body,
        concept.source or "",
        concept.position,
        concept.core,
        concept.retired,
    )


def _last_change(snapshot: Snapshot) -> dict[str, datetime]:
    last: dict[str, datetime] = {}
    for change in snapshot.changes:
        last[change.concept] = max(change.at, last.get(change.concept, _NEVER))
    return last


Sourced = TypeVar("Sourced", ConceptRecord, ItemRecord)


def _last_import(
    ours: Snapshot, theirs: Snapshot, order: Callable[[Sourced], tuple[Any, ...]]
) -> Callable[[Sourced, Sourced], Sourced]:
    """Return what chooses a record by the later import of its source, and then by an order."""
    sides = [{each.guid: each.imported_at for each in side.sources} for side in (ours, theirs)]

    def told_by(mine: Sourced, other: Sourced) -> Sourced:
        keys = [
            (imported.get(each.source or "", _NEVER), order(each))
            for imported, each in zip(sides, (mine, other), strict=True)
        ]
        return mine if keys[0] >= keys[1] else other

    return told_by


# -- texts -----------------------------------------------------------------------------------------


class _Texts:
    """The wordings of cards and notes: which one holds, which were before, where sides differ."""

    def __init__(self, ours: Snapshot, theirs: Snapshot, decided: Decided) -> None:
        self._decided = decided
        self._ours = set(ours.wordings)
        self._theirs = set(theirs.wordings)
        self._all = self._ours | self._theirs | present_wordings(ours) | present_wordings(theirs)
        self._present: set[WordingRecord] = set()
        self._of_other_versions: set[WordingRecord] = set()
        self.conflicts: list[Conflict] = []
        self._came: dict[str, set[WordingRecord]] = {}  # the texts that cards came with
        for each in self._all:
            if each.at is None:
                self._came.setdefault(each.guid, set()).add(each)
        # What only one side has keeps its present wording.
        for snapshot in (ours, theirs):
            self._present |= present_wordings(snapshot)

    def earlier(self) -> tuple[WordingRecord, ...]:
        """Every wording but those that hold. Ask last."""
        return tuple(self._all - self._present - self._of_other_versions)

    def latest(self, mine: WordingRecord, other: WordingRecord, *, is_card: bool) -> WordingRecord:
        """The wording that holds of two that a learner wrote."""
        if mine == other:
            return mine
        kept, lost = sorted((mine, other), key=_age, reverse=True)
        self._present.discard(lost)
        self._present.add(kept)
        apart = mine not in self._theirs and other not in self._ours
        if apart and (mine.title, mine.body) != (other.title, other.body):
            self.conflicts.append(Conflict(mine.guid, kept, lost, kept is mine, is_card))
        return kept

    def notes(
        self, ours: Sequence[NoteRecord], theirs: Sequence[NoteRecord]
    ) -> tuple[NoteRecord, ...]:
        """All notes but those that were removed, whose last text becomes an earlier wording."""
        there = []
        for note in _by_name(ours, theirs, self._note):
            if self._decided.is_removed(note):
                self._present.discard(note_wording(note))
                self.conflicts = [each for each in self.conflicts if each.guid != note.guid]
            else:
                there.append(self._decided.note(note))
        return tuple(there)

    def _note(self, mine: NoteRecord, other: NoteRecord) -> NoteRecord:
        kept = self.latest(note_wording(mine), note_wording(other), is_card=False)
        place = max(
            *(mine, other),
            key=lambda each: (
                _age(note_wording(each)),
                *(name or "" for name in (each.concept, each.source, each.item)),
            ),
        )
        return replace(
            place,
            title=kept.title,
            body=kept.body,
            updated_at=max(mine.updated_at, other.updated_at),
            created_at=min(mine.created_at, other.created_at),
        )

    def without_taken_back(self, item: ItemRecord) -> ItemRecord:
        """An item whose wording was taken back on the side that does not have the item here.

        Its text is then the one that it came with, where that is among the earlier ones.
        """
        card = item.card
        if card is None or card.edited_at is None or self._decided.is_own_wording(item.guid, card):
            return item
        came = self._came.get(item.guid)
        if not came:
            return item
        first = min(came, key=_age)
        self._present.discard(card_wording(item.guid, card))
        card = replace(card, front=first.title, back=first.body, edited_at=None)
        return replace(item, card=card)

    def pack_card(self, guid: str, mine: CardRecord, other: CardRecord) -> CardRecord:
        """A pack's card with the learner's wording, else the text of the version that is here."""
        own = self.card(guid, mine, other, mine)
        came = self._came.get(guid, set())
        here = came & self._ours
        if mine.edited_at is None:
            here = {WordingRecord(guid, None, mine.front, mine.back)}
            if own.edited_at is not None:
                self._all |= here
        if here:
            self._of_other_versions |= came - here
        if not here or mine.edited_at is None or own.edited_at is not None:
            return own
        first = min(here, key=_age)
        return replace(own, front=first.title, back=first.body)

    def card(self, guid: str, mine: CardRecord, other: CardRecord, told: CardRecord) -> CardRecord:
        """`told` with the learner's wording, if there is one."""
        own = []
        for each in (mine, other):
            if self._decided.is_own_wording(guid, each):
                own.append(card_wording(guid, each))
            elif each.edited_at is not None:
                self._present.discard(card_wording(guid, each))
        if not own:
            as_it_came = [each for each in (told, mine, other) if each.edited_at is None]
            if not as_it_came or told.edited_at is None:
                return told
            return replace(told, front=as_it_came[0].front, back=as_it_came[0].back, edited_at=None)
        kept = self.latest(*own, is_card=True) if len(own) == 2 else own[0]
        return replace(told, front=kept.title, back=kept.body, edited_at=kept.at)


def _age(wording: WordingRecord) -> tuple[datetime, str, str]:
    return (wording.at or _NEVER, wording.title, wording.body)


# -- items -----------------------------------------------------------------------------------------


def _items(ours: Snapshot, theirs: Snapshot, texts: _Texts) -> tuple[ItemRecord, ...]:
    told_by = _last_import(ours, theirs, _item_order)

    def join(mine: ItemRecord, other: ItemRecord) -> ItemRecord:
        if mine.kind != other.kind or (mine.card is None) != (other.card is None):
            raise InputError(
                f"{mine.guid} is a {mine.kind} here and a {other.kind} there",
                advice="Nothing was merged",
            )
        told = told_by(mine, other) if mine.pack is None else mine
        card = told.card
        if card is not None and mine.card is not None and other.card is not None:
            if mine.pack is None:
                card = texts.card(mine.guid, mine.card, other.card, card)
            else:
                card = texts.pack_card(mine.guid, mine.card, other.card)
        return replace(told, card=card, created_at=min(mine.created_at, other.created_at))

    return _by_name(ours.items, theirs.items, join)


def _item_order(item: ItemRecord) -> tuple[Any, ...]:
    """An order for ties that the learner's own wording does not enter into."""
    card: Mapping[str, Any] = {}
    if item.card is not None:
        own = item.card.edited_at is not None
        card = {
            "digest": item.card.digest,
            "kind": item.card.kind,
            "answer": item.card.answer,
            "extra": item.card.extra,
            "siblings": item.card.sibling_group,
            "text": "" if own else [item.card.front, item.card.back],
        }
    return (
        _canonical(card),
        item.pack or "",
        item.concept,
        item.source or "",
        item.position,
        item.retired,
    )
