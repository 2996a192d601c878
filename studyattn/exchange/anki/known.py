"""Find what a package has that a database has not: cards, changed texts and labels. Pure.

What changed in Anki is found by what came from there before (`anki_notes`, `anki_cards` of a
snapshot). Merging it is `merge`'s: a text that both sides changed is told as a conflict there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from studyattn.exchange.anki.faces import read_alike, worded
from studyattn.exchange.anki.peer import MOVED_ON, SCHEDULE, SUSPENDED, flag_of
from studyattn.exchange.merge.decided import by_name
from studyattn.grouping import grouped
from studyattn.store.snapshot import (
    AnkiCardRecord,
    DecisionRecord,
    ItemRecord,
    MemoryStartRecord,
    Record,
    Snapshot,
    WordingRecord,
)
from studyattn.store.tags import FLAGS, tags_of

_EPOCH: Final = datetime.fromtimestamp(0, UTC)
_FLAGS: Final = frozenset(FLAGS)
_REPLICA: Final = "anki"  # where a decision was made


def without_known(ours: Snapshot, theirs: Snapshot) -> Snapshot:
    """Return what is new in a package, such as texts that Anki changed.

    Tags, flags and so on of known items are decisions of the time at which Anki changed them.
    """
    before = _Before(ours, theirs)
    guids = before.items.keys()
    slugs = {each.slug for each in ours.concepts}
    new = tuple(each for each in theirs.items if each.guid not in guids)
    reworded = tuple(before.reworded())
    named = {each.concept for each in new} - slugs
    origins = {each.source for each in (*new, *reworded)}
    return replace(
        theirs,
        items=(*new, *reworded),
        concepts=tuple(each for each in theirs.concepts if each.slug in named),
        sources=tuple(each for each in theirs.sources if each.guid in origins),
        wordings=tuple(before.wordings(reworded)),
        starts=tuple(_unknown_starts(ours.starts, theirs.starts)),
        decisions=tuple(before.changed_labels()),
        anki_cards=tuple(map(before.adopted, theirs.anki_cards)),
    )


class _Before:
    """The records of a package for items that are here, beside those that came before."""

    def __init__(self, ours: Snapshot, theirs: Snapshot) -> None:
        self.items = by_name(ours.items)
        self._theirs_items = by_name(theirs.items)
        self._notes = by_name(ours.anki_notes)
        self._cards = by_name(ours.anki_cards)
        self._their_notes = by_name(theirs.anki_notes)
        self._their_cards = by_name(theirs.anki_cards)
        self._from_anki = {each.guid for each in ours.sources if each.kind == "anki"}
        self._went_there = {(e.guid, e.title, e.body) for e in ours.wordings if self._is_later(e)}

    def reworded(self) -> Iterator[ItemRecord]:
        """Yield known items with the text that Anki gave them since."""
        for theirs in self._theirs_items.values():
            mine = self.items.get(theirs.guid)
            if mine is None or mine.card is None or theirs.card is None:
                continue
            if not self._is_reworded(mine, theirs) or read_alike(mine.card, theirs.card):
                continue
            note = self._their_notes[self._their_cards[mine.guid].note]
            at = _EPOCH + timedelta(seconds=note.changed)
            yield replace(mine, source=theirs.source, card=replace(theirs.card, edited_at=at))

    def _is_reworded(self, mine: ItemRecord, theirs: ItemRecord) -> bool:
        """Return whether Anki changed the text of an item since it last came."""
        card = self._their_cards[mine.guid]
        new, old = self._their_notes[card.note], self._notes.get(card.note)
        if old is None:  # it came before notes were kept, or it is ours and went there
            texts = (mine.card, theirs.card)
            return mine.source in self._from_anki and len({e.digest for e in texts if e}) > 1
        if new.changed < old.changed or new.fields == old.fields:
            return False
        text = theirs.card
        return text is None or (mine.guid, text.front, text.back) not in self._went_there

    def _is_later(self, wording: WordingRecord) -> bool:
        """Return whether a card got a wording here after Anki's text of it last came."""
        card = self._cards.get(wording.guid)
        if card is None or wording.at is None or card.note not in self._notes:
            return False
        return wording.at.timestamp() >= self._notes[card.note].changed

    def wordings(self, reworded: Iterable[ItemRecord]) -> Iterator[WordingRecord]:
        """Yield the wordings that Anki knew of texts that it changed."""
        for each in reworded:
            mine, card = self.items[each.guid].card, self._cards.get(each.guid)
            if mine is not None and (card is None or worded(mine) == card.wording):
                yield WordingRecord(each.guid, mine.edited_at, mine.front, mine.back)

    def adopted(self, card: AnkiCardRecord) -> AnkiCardRecord:
        """Return their card; one of ours that comes back the first time keeps our text's digest."""
        mine = self.items.get(card.item_guid)
        if card.item_guid in self._cards or mine is None or mine.card is None:
            return card
        if mine.source in self._from_anki:
            return card
        return replace(card, wording=worded(mine.card))

    def changed_labels(self) -> Iterator[DecisionRecord]:
        """Yield decisions on known items that Anki changed since they last came.

        There a note has the tags and the mark of all its cards, and a card one flag.
        """
        known = [self.items[guid] for guid in self._theirs_items if guid in self.items]
        notes = grouped((_note(item), item) for item in known)
        for item in known:
            yield from self._changed_labels(item, notes[_note(item)])

    def _changed_labels(
        self, item: ItemRecord, siblings: Sequence[ItemRecord]
    ) -> Iterator[DecisionRecord]:
        theirs, card = self._theirs_items[item.guid], self._their_cards[item.guid]
        note = self._their_notes[card.note]
        old_note, old_card = self._notes.get(card.note), self._cards.get(item.guid)
        tags, at = {*item.tags}, 0
        if _differ(old_note, note, "tags"):
            words = _words([theirs])
            if _words(siblings) != words:
                tags, at = words | tags & _FLAGS, note.changed
            if theirs.marked != any(each.marked for each in siblings):
                yield _decision(item, "marked", theirs.marked, note.changed)
        if _differ(old_card, card, "schedule"):
            if flag_of(item) != flag_of(theirs):
                tags = tags - _FLAGS | {*theirs.tags} & _FLAGS
                at = max(at, card.changed)
            # Of one that came before cards were kept it is not known what it was there.
            was = SCHEDULE.decode((old_card or card).schedule).queue == SUSPENDED
            if theirs.suspended not in {item.suspended, was}:
                yield _decision(item, "suspended", theirs.suspended, card.changed)
        if at:
            yield _decision(item, "tags", [*tags_of(sorted(tags))], at)


def _differ(old: Record | None, new: Record, field: str) -> bool:
    return old is None or getattr(old, field) != getattr(new, field)


def _words(items: Iterable[ItemRecord]) -> set[str]:
    """Return the tags of items without their flags."""
    return {tag for each in items for tag in each.tags} - _FLAGS


def _decision(item: ItemRecord, field: str, value: object, changed: int) -> DecisionRecord:
    """Return a decision that was made in Anki; `changed` is in seconds."""
    at = _EPOCH + timedelta(seconds=changed)
    return DecisionRecord("item", item.guid, field, value, at, _REPLICA)


def _note(item: ItemRecord) -> str:
    """Return the name of the note that an item is a card of."""
    return (item.card and item.card.sibling_group) or item.guid


def _unknown_starts(
    ours: Iterable[MemoryStartRecord], theirs: Iterable[MemoryStartRecord]
) -> Iterator[MemoryStartRecord]:
    """Those of theirs that ours do not have; like reviews, they may come back moved on."""
    known = by_name(ours)
    for start in theirs:
        mine = known.get(start.item_guid)
        same = mine is not None and (mine.interval, mine.ease) == (start.interval, start.ease)
        if mine is None or not same or not 0 <= _ms(start.at) - _ms(mine.at) <= MOVED_ON:
            yield start


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)
