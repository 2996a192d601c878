"""Everything a learner has, as values: what leaves one database and enters another.

Nothing here knows row ids. Records name each other by slug, guid and uuid, which mean the same in
every database, and every list has one order, so that the same data is the same text. An item's
memory is left out: it is worked out from the reviews.

The records are msgspec structs. Their types and limits are those of a line of the exchange format
(docs/exchange-format.md), and a file is checked by them; `store.queries.snapshot` reads them from a
database and writes them into one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import astuple

from studyattn.store.tags import LONGEST
from studyattn.store.vocabulary import State

RatingName = Literal["again", "hard", "good", "easy"]
Instant = Annotated[datetime, Meta(tz=True)]
Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
MinutesEast = Annotated[int, Meta(ge=-1440, le=1440)]
Tag = Annotated[str, Meta(pattern=r"^\S+$", max_length=LONGEST)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


class Record(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """One thing in a snapshot, and one line of a file; its tag is the `type` of the line.

    Records are part of no circle, so the garbage collector need not look through a million of them.
    """


class SourceRecord(Record, frozen=True, tag="source"):
    """An imported document, whole."""

    guid: str
    kind: str
    title: str
    path: str
    text: str
    digest: str
    front_matter: Mapping[str, Any]
    imported_at: Instant
    edits: Mapping[str, tuple[tuple[str, str, str], ...]] = {}
    """By question, the cards that the learner made of it in the preview: front, back, concept."""


class ConceptRecord(Record, frozen=True, tag="concept"):
    """A concept; `source` is a guid, `joined_into` and `requires` are slugs."""

    slug: str
    title: str
    state: State
    body: str
    pack: str | None
    source: str | None
    joined_into: str | None
    position: Whole
    core: bool
    retired: bool
    requires: tuple[str, ...]


class ConceptChangeRecord(Record, frozen=True, tag="change"):
    """One change of a concept's state."""

    concept: str
    at: Instant
    from_state: State
    to_state: State
    reason: str
    author: str


class CardRecord(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card's text."""

    kind: str
    """The name of one of `packs.card_kinds.KINDS`, checked by those who read files."""
    front: str
    back: str
    answer: str | None
    extra: Mapping[str, Any]
    digest: str
    edited_at: Instant | None
    sibling_group: str | None


class ItemRecord(Record, frozen=True, tag="item"):
    """A scheduled item, with the learner's decisions on it. A drill has no card."""

    guid: str
    kind: Literal["card", "drill"]
    concept: str
    source: str | None
    pack: str | None
    position: Whole
    created_at: Instant
    suspended: bool
    marked: bool
    retired: bool
    buried_until: date | None
    card: CardRecord | None
    tags: tuple[Tag, ...] = ()


class NoteRecord(Record, frozen=True, tag="note"):
    """A note; at most one of `concept` (slug), `source` (guid) and `item` (guid) is usual."""

    guid: str
    title: str
    body: str
    concept: str | None
    source: str | None
    item: str | None
    created_at: Instant
    updated_at: Instant


class WordingRecord(Record, frozen=True, tag="wording"):
    """A wording that the card or note `guid` had before; `at` is since when it had it.

    Of a card `title` is the question, `body` the answer. Without `at` it is how the card came.
    """

    guid: str
    at: Instant | None
    title: str
    body: str


class ReviewRecord(Record, frozen=True, tag="review"):
    """A row of the review log: either a rating, or the withdrawal of another row."""

    uuid: str
    item_guid: str
    rating: RatingName | None
    withdraws: str | None
    """The uuid of the row that this one takes back."""
    at: Instant
    utc_offset: MinutesEast
    learner_day: date
    seconds: Seconds
    origin: str


class MemoryStartRecord(Record, frozen=True, tag="start"):
    """The instant at which an item's memory begins: earlier reviews no longer count.

    Without `interval` and `ease` it is new again; with them it was learned before its log began.
    """

    item_guid: str
    at: Instant
    utc_offset: MinutesEast
    learner_day: date
    interval: Annotated[float, Meta(gt=0, le=36500)] | None
    """Days."""
    ease: Annotated[float, Meta(gt=0, le=100_000)] | None
    """SM-2's, in thousandths."""


class AnkiTypeRecord(Record, frozen=True, tag="anki-type"):
    """A note type of Anki."""

    number: str
    changed: Whole
    """Seconds."""
    definition: str
    """JSON, as Anki's older packages have it."""


class AnkiNoteRecord(Record, frozen=True, tag="anki-note"):
    """A note of Anki as it last came from there."""

    guid: str
    number: Whole
    notetype: str
    changed: Whole
    """Seconds."""
    fields: str
    """HTML, with U+001F between them."""
    tags: str
    media: Mapping[str, str] = {}
    """From the names of its pictures and sounds in Anki to those in the home."""


class AnkiCardRecord(Record, frozen=True, tag="anki-card"):
    """A card of Anki as it last came from there; a card that cannot be asked here has no item."""

    item_guid: str
    note: str
    """Its guid in Anki."""
    ord: Whole
    number: Whole
    deck: str
    changed: Whole
    """When it or its note last changed, in seconds."""
    wording: str
    """Digest of the text that the note gives it here; another text was worded here."""
    schedule: str
    """JSON (`exchange.anki.revlog.Schedule`)."""
    log: str
    """JSON: all rows of its review log (`exchange.anki.revlog.RevlogRow`), oldest first."""
    answers: Whole
    """Rows of the log that are reviews here."""


class PracticeRecord(Record, frozen=True):
    """Something that a learner did in practice, and when."""

    uuid: str
    item_guid: str
    at: Instant
    utc_offset: MinutesEast
    learner_day: date


class AttemptRecord(PracticeRecord, frozen=True, tag="attempt"):
    """One graded submission."""

    code: str
    backend: str
    device: str
    verdict: str
    report: Mapping[str, Any]
    hints: Whole
    revealed: bool
    seconds: Seconds


class PracticeStepRecord(PracticeRecord, frozen=True, tag="step"):
    """An event of practice other than an attempt, such as a hint."""

    kind: Literal["began", "hint", "revealed", "kept", "left"]
    number: Whole
    code: str | None
    seconds: Seconds


class BroughtBackRecord(Record, frozen=True, tag="brought-back"):
    """A card that a mistake in code made due."""

    uuid: str
    item_guid: str
    attempt_uuid: str
    misconception: str
    reason: str
    at: Instant
    learner_day: date
    taken_back_at: Instant | None


class SettingRecord(Record, frozen=True, tag="setting"):
    """A setting that differs from its default."""

    key: str
    value: Any


class DecisionRecord(Record, frozen=True, tag="decision"):
    """The learner's last decision on one field of one record."""

    kind: Literal["item", "concept", "note", "brought-back", "lesson", "placement", "setting"]
    name: str
    """Guid of an item or note, slug of a concept, uuid of a card brought back, PACK:SLUG of a
    lesson or placement, key of a setting."""
    field: str
    value: Any
    at: Instant
    replica: str
    """The database in which it was decided; empty for a choice older than decisions."""


class Snapshot(Struct, frozen=True):
    """All of it. `ordered` gives every list its one order."""

    sources: tuple[SourceRecord, ...] = ()
    concepts: tuple[ConceptRecord, ...] = ()
    changes: tuple[ConceptChangeRecord, ...] = ()
    items: tuple[ItemRecord, ...] = ()
    notes: tuple[NoteRecord, ...] = ()
    wordings: tuple[WordingRecord, ...] = ()
    reviews: tuple[ReviewRecord, ...] = ()
    starts: tuple[MemoryStartRecord, ...] = ()
    anki_types: tuple[AnkiTypeRecord, ...] = ()
    anki_notes: tuple[AnkiNoteRecord, ...] = ()
    anki_cards: tuple[AnkiCardRecord, ...] = ()
    attempts: tuple[AttemptRecord, ...] = ()
    steps: tuple[PracticeStepRecord, ...] = ()
    brought_back: tuple[BroughtBackRecord, ...] = ()
    settings: tuple[SettingRecord, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()

    def ordered(self) -> Snapshot:
        """The same, with every list in its one order."""
        lists: dict[str, Any] = {
            name: tuple(sorted(getattr(self, name), key=of.place)) for name, of in LISTS.items()
        }
        return Snapshot(**lists)


def wording_order(wording: WordingRecord) -> tuple[Any, ...]:
    """Sort key by card or note, then by age: the first wording, then each later one."""
    stamp = "" if wording.at is None else wording.at.isoformat(timespec="microseconds")
    return (wording.guid, stamp, wording.title, wording.body)


class Listed(NamedTuple):
    """A list of a snapshot: its records, the table with their rows, and what it is ordered by."""

    record: type[Record]
    table: str
    key: str = ""  # names a record; a log, whose rows are only added, is ordered by time
    order: Callable[[Any], Any] = attrgetter("at", "uuid")

    @property
    def place(self) -> Callable[[Any], Any]:
        """Return the function from a record to its place in the list."""
        return attrgetter(self.key) if self.key else self.order


LISTS: Mapping[str, Listed] = {
    "sources": Listed(SourceRecord, "source", "guid"),
    "concepts": Listed(ConceptRecord, "concept", "slug"),
    "changes": Listed(ConceptChangeRecord, "concept_change", order=astuple),
    "items": Listed(ItemRecord, "item", "guid"),
    "notes": Listed(NoteRecord, "note", "guid"),
    "wordings": Listed(WordingRecord, "wording", order=wording_order),
    "reviews": Listed(ReviewRecord, "review"),
    "starts": Listed(MemoryStartRecord, "memory_start", "item_guid"),
    "anki_types": Listed(AnkiTypeRecord, "anki_type", "number"),
    "anki_notes": Listed(AnkiNoteRecord, "anki_note", "guid"),
    "anki_cards": Listed(AnkiCardRecord, "anki_card", "item_guid"),
    "attempts": Listed(AttemptRecord, "attempt"),
    "steps": Listed(PracticeStepRecord, "practice_step"),
    "brought_back": Listed(BroughtBackRecord, "brought_back"),
    "settings": Listed(SettingRecord, "setting", "key"),
    "decisions": Listed(DecisionRecord, "decision", order=attrgetter("kind", "name", "field")),
}
"""The lists of a snapshot, in the order in which they refer to each other."""


def note_wording(note: NoteRecord) -> WordingRecord:
    """Return a note's present wording, and since when it has it."""
    return WordingRecord(note.guid, note.updated_at, note.title, note.body)


def card_wording(guid: str, card: CardRecord) -> WordingRecord:
    """Return a card's present wording, and since when if it is the learner's."""
    return WordingRecord(guid, card.edited_at, card.front, card.back)


def present_wordings(snapshot: Snapshot) -> set[WordingRecord]:
    """The wordings that hold now and that the learner gave."""
    cards = {
        card_wording(item.guid, item.card)
        for item in snapshot.items
        if item.card is not None and item.card.edited_at is not None
    }
    return cards | {note_wording(note) for note in snapshot.notes}
