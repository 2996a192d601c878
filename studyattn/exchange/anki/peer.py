"""Notes and cards that came from Anki as they go back: what they were, but for what changed here.

Pure. A text that was worded here goes into the field that shows it (`faces`). Tags, mark, flag and
suspension follow the item. A card that was answered here gets our schedule; any other keeps its
own, which Anki reads again as it wrote it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from studyattn.exchange.anki.faces import Faces, worded
from studyattn.exchange.anki.revlog import RELEARNING_TYPE, RevlogRow, Schedule
from studyattn.exchange.anki.templates import NoteType
from studyattn.exchange.reviews import unknown
from studyattn.grouping import grouped
from studyattn.store.snapshot import (
    AnkiCardRecord,
    AnkiNoteRecord,
    AnkiTypeRecord,
    CardRecord,
    ItemRecord,
    Snapshot,
)
from studyattn.store.tags import FLAGS, tags_of
from studyattn.text.media import PREFIX

DECK_ID: Final = 1_846_203_117
BASIC_ID: Final = 1_846_203_118
CLOZE_ID: Final = 1_846_203_119
"""Numbers of ours in Anki, drawn once: with them a second import updates the first."""
OUR_TAG: Final = "studyattn::"
MARKED: Final = "marked"  # the tag that Anki's mark is; a whole note has it
SUSPENDED: Final = -1  # a card's queue
FLAG: Final = 7  # the bits of a card's flags that hold its colour
LOG: Final = msgspec.json.Decoder(tuple[tuple[int, int, int, int, int, int, int], ...])
"""Reads the values of a card's `RevlogRow`s: most are columns that only pass through."""
SCHEDULE: Final = msgspec.json.Decoder(Schedule)


class Tags(NamedTuple):
    """The tags of a note, which many notes share."""

    words: tuple[str, ...]
    """The learner's."""
    marked: bool
    ours: tuple[str, ...]
    """Those that name a concept."""


def read_tags(text: str) -> Tags:
    """Return the tags of a note."""
    words = text.split()
    ours = tuple(each for each in words if each.startswith(OUR_TAG))
    others = [each for each in words if each.lower() != MARKED and each not in ours]
    return Tags(tags_of(others), MARKED in map(str.lower, words), ours)


def flag_of(item: ItemRecord) -> int:
    """Return the number of a card's flag, the first if it has several; 0 for none."""
    return next((number for number, flag in enumerate(FLAGS, start=1) if flag in item.tags), 0)


class Peers:
    """An item as it came from Anki, beside what it is here."""

    def __init__(self, held: Snapshot) -> None:
        self._held = held
        self._items = {each.guid: each for each in held.items}
        self._types = {each.number: each for each in held.anki_types}
        self._read: dict[str, NoteType] = {}
        self.refused = 0
        """Texts that no field of their notes can take."""

    @cached_property
    def cards(self) -> Mapping[str, Sequence[AnkiCardRecord]]:
        """The cards of each note by its guid; of two for one place that which has an item."""
        places: dict[tuple[str, int], AnkiCardRecord] = {}
        for each in self._held.anki_cards:
            known = places.get((each.note, each.ord))
            if known is None or each.item_guid in self._items:
                places[each.note, each.ord] = each
        ordered = sorted(places.items(), key=lambda each: each[0])
        return grouped((note, card) for (note, _), card in ordered)

    @cached_property
    def _decided(self) -> Mapping[str, datetime]:
        """The times at which tags, mark and suspension of items were last decided."""
        decided: dict[str, datetime] = {}
        for each in self._held.decisions:
            if each.kind == "item" and each.field in {"tags", "marked", "suspended"}:
                decided[each.name] = max(each.at, decided.get(each.name, each.at))
        return decided

    @cached_property
    def notes(self) -> Sequence[AnkiNoteRecord]:
        """The notes as they go back."""
        return [
            self._note(note, [(each, self.item(each)) for each in self.cards[note.guid]])
            for note in self._held.anki_notes
            if note.guid in self.cards
        ]

    @property
    def every_card(self) -> Iterator[AnkiCardRecord]:
        """Yield the cards of all notes."""
        for note in self.notes:
            yield from self.cards[note.guid]

    @property
    def types(self) -> Sequence[AnkiTypeRecord]:
        """The note types of the notes."""
        used = {note.notetype for note in self.notes}
        return [each for each in self._held.anki_types if each.number in used]

    def decided(self, card: AnkiCardRecord, changed: int) -> int:
        """Return when a card changed last, in seconds, if its item's labels are other ones here."""
        at = self._decided.get(card.item_guid)
        return changed if at is None else max(changed, int(at.timestamp()))

    def item(self, card: AnkiCardRecord) -> ItemRecord | None:
        return self._items.get(card.item_guid)

    def _note(
        self, note: AnkiNoteRecord, cards: Sequence[tuple[AnkiCardRecord, ItemRecord | None]]
    ) -> AnkiNoteRecord:
        fields = self.fields(note, cards)
        items = [item for _, item in cards if item is not None]
        tags = _tags_back(note.tags, items)
        if (fields, tags) == (note.fields, note.tags):
            return note
        stamps = [self._decided[each.guid] for each in items if each.guid in self._decided]
        stamps += [at for each in items if each.card and (at := each.card.edited_at)]
        changed = max(int(max(stamps).timestamp()) if stamps else 0, note.changed + 1)
        return replace(note, fields=fields, tags=tags, changed=changed)

    def fields(
        self, note: AnkiNoteRecord, cards: Iterable[tuple[AnkiCardRecord, ItemRecord | None]]
    ) -> str:
        """Return the fields of a note with the texts that its cards were given here."""
        told = note.fields.split("\x1f")
        for card, item in cards:
            text = None if item is None else item.card
            if text is None or not card.wording or worded(text) == card.wording:
                continue
            made = self._reworded(note, told, card.ord, text)
            if made is None:
                self.refused += 1
            else:
                told = made
        return "\x1f".join(told)

    def _reworded(
        self, note: AnkiNoteRecord, fields: Sequence[str], ord_: int, text: CardRecord
    ) -> list[str] | None:
        notetype = self.notetype(note.notetype)
        if notetype is None:
            return None
        home = {**note.media, **{unquote(name): kept for name, kept in note.media.items()}}
        faces = Faces(lambda name: PREFIX + home[name] if name in home else "")
        there = {kept: name for name, kept in note.media.items()}
        return faces.reworded(notetype, fields, ord_, text, there)

    def notetype(self, number: str) -> NoteType | None:
        """Return a note type; None for one that is not known."""
        record: AnkiTypeRecord | None = self._types.get(number)
        if record is None:
            return None
        if number not in self._read:
            self._read[number] = NoteType.of(msgspec.json.decode(record.definition))
        return self._read[number]


def _tags_back(tags: str, items: Sequence[ItemRecord]) -> str:
    """Return the tags of a note, changed where its cards have others here."""
    if not items:
        return tags
    there = read_tags(tags)
    words = tags_of(tag for each in items for tag in each.tags if tag not in FLAGS)
    marked = any(each.marked for each in items)
    if (words, marked) == (there.words, there.marked):
        return tags
    return f" {' '.join([*there.ours, *words, *([MARKED] if marked else [])])} "


def schedule_back(schedule: Schedule, item: ItemRecord | None) -> Schedule:
    """Return the schedule of a card that was not answered here, with its item's decisions."""
    if item is None:
        return schedule
    queue = schedule.queue
    if item.suspended != (queue == SUSPENDED):
        if item.suspended:
            queue = SUSPENDED
        else:
            in_steps = schedule.type == RELEARNING_TYPE
            queue = 1 if in_steps and not schedule.is_due_by_day else schedule.type
    flags = schedule.flags & ~FLAG | flag_of(item)
    return schedule._replace(queue=queue, flags=flags)


def new_rows(rows: Iterable[RevlogRow], raw: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the rows that `raw` does not have."""
    return unknown(rows, raw, lambda row: (row[1], row[0]), range(MOVED_ON + 1))


MOVED_ON: Final = 60_000
"""Milliseconds by which a review may be later when it comes back: Anki numbers reviews by theirs,
so of several in one it moves some on."""
