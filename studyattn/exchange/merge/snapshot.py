"""All that a learner has, as values: what leaves one database and enters another.

Nothing here knows row numbers. Things name each other by slug, guid and uuid, which mean the same
in every database, and every list has one order, so that the same data is the same text. An item's
memory is left out: it is a fold of the reviews.

    collecting   database → Snapshot
    union        Snapshot and Snapshot → Snapshot
    settling     Snapshot → database
    jsonlines, learningnote, page, anki    Snapshot ↔ files
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from studyattn.memory import LoggedReview
from studyattn.store.vocabulary import STATES


@dataclass(frozen=True, slots=True)
class OneOf:
    """The texts that a field may have."""

    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """The numbers that a field may have."""

    least: float
    most: float


State = Annotated[str, OneOf(STATES)]
MinutesEast = Annotated[int, Within(-1440, 1440)]
Seconds = Annotated[float, Within(0, 1e9)]


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """An imported document, whole."""

    guid: str
    kind: str
    title: str
    path: str
    text: str
    digest: str
    front_matter: Mapping[str, Any]
    imported_at: datetime


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """A concept; `source` is a guid, `joined_into` and `requires` are slugs."""

    slug: str
    title: str
    state: State
    body: str
    pack: str | None
    source: str | None
    joined_into: str | None
    position: int
    core: bool
    retired: bool
    requires: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConceptChangeRecord:
    """One change of a concept's state."""

    concept: str
    at: datetime
    from_state: State
    to_state: State
    reason: str
    author: str


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A card's text."""

    kind: Annotated[str, OneOf(("basic", "cloze", "typed", "numeric", "computed", "bug"))]
    front: str
    back: str
    answer: str | None
    extra: Mapping[str, Any]
    digest: str
    edited_at: datetime | None
    sibling_group: str | None


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """What is scheduled, with what the learner did to it. A drill has no card."""

    guid: str
    kind: Annotated[str, OneOf(("card", "drill"))]
    concept: str
    source: str | None
    pack: str | None
    position: int
    created_at: datetime
    suspended: bool
    marked: bool
    retired: bool
    buried_until: date | None
    card: CardRecord | None


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """A note; at most one of `concept` (slug), `source` (guid) and `item` (guid) is usual."""

    guid: str
    title: str
    body: str
    concept: str | None
    source: str | None
    item: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class WordingRecord:
    """A wording that the card or note `guid` had before; `at` is since when it had it.

    Of a card `title` is the question, `body` the answer. Without `at` it is how the card came.
    """

    guid: str
    at: datetime | None
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One graded submission."""

    uuid: str
    item_guid: str
    at: datetime
    utc_offset: MinutesEast
    learner_day: date
    code: str
    backend: str
    device: str
    verdict: str
    report: Mapping[str, Any]
    hints: int
    revealed: bool
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class PracticeStepRecord:
    """What a learner did with a drill besides handing in an attempt."""

    uuid: str
    item_guid: str
    at: datetime
    utc_offset: MinutesEast
    learner_day: date
    kind: Annotated[str, OneOf(("began", "hint", "revealed", "kept", "left"))]
    number: int
    code: str | None
    seconds: Seconds


@dataclass(frozen=True, slots=True)
class BroughtBackRecord:
    """A card that a mistake in code made due."""

    uuid: str
    item_guid: str
    attempt_uuid: str
    misconception: str
    reason: str
    at: datetime
    learner_day: date
    taken_back_at: datetime | None


@dataclass(frozen=True, slots=True)
class SettingRecord:
    """A setting that differs from its default."""

    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All of it. `ordered` gives every list its one order."""

    sources: tuple[SourceRecord, ...] = ()
    concepts: tuple[ConceptRecord, ...] = ()
    changes: tuple[ConceptChangeRecord, ...] = ()
    items: tuple[ItemRecord, ...] = ()
    notes: tuple[NoteRecord, ...] = ()
    wordings: tuple[WordingRecord, ...] = ()
    reviews: tuple[LoggedReview, ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    steps: tuple[PracticeStepRecord, ...] = ()
    brought_back: tuple[BroughtBackRecord, ...] = ()
    settings: tuple[SettingRecord, ...] = ()

    def ordered(self) -> Snapshot:
        """The same, with every list in its one order."""
        return Snapshot(
            sources=tuple(sorted(self.sources, key=lambda each: each.guid)),
            concepts=tuple(sorted(self.concepts, key=lambda each: each.slug)),
            changes=tuple(sorted(self.changes, key=change_order)),
            items=tuple(sorted(self.items, key=lambda each: each.guid)),
            notes=tuple(sorted(self.notes, key=lambda each: each.guid)),
            wordings=tuple(sorted(self.wordings, key=wording_order)),
            reviews=tuple(sorted(self.reviews, key=lambda each: (each.at, each.uuid))),
            attempts=tuple(sorted(self.attempts, key=lambda each: (each.at, each.uuid))),
            steps=tuple(sorted(self.steps, key=lambda each: (each.at, each.uuid))),
            brought_back=tuple(sorted(self.brought_back, key=lambda each: (each.at, each.uuid))),
            settings=tuple(sorted(self.settings, key=lambda each: each.key)),
        )


def change_order(change: ConceptChangeRecord) -> tuple[Any, ...]:
    """By time; what happened in one instant by its words: arbitrary, but always the same."""
    return (
        change.concept,
        change.at,
        change.from_state,
        change.to_state,
        change.reason,
        change.author,
    )


def wording_order(wording: WordingRecord) -> tuple[Any, ...]:
    """By card or note, then by age: how it came, then every rewording."""
    stamp = "" if wording.at is None else wording.at.isoformat(timespec="microseconds")
    return (wording.guid, stamp, wording.title, wording.body)


def note_wording(note: NoteRecord) -> WordingRecord:
    """What a note says, and since when."""
    return WordingRecord(note.guid, note.updated_at, note.title, note.body)


def card_wording(guid: str, card: CardRecord) -> WordingRecord:
    """What a card says, and since when if the learner worded it."""
    return WordingRecord(guid, card.edited_at, card.front, card.back)


def present_wordings(snapshot: Snapshot) -> set[WordingRecord]:
    """The wordings that hold now and that the learner gave."""
    cards = {
        card_wording(item.guid, item.card)
        for item in snapshot.items
        if item.card is not None and item.card.edited_at is not None
    }
    return cards | {note_wording(note) for note in snapshot.notes}
