"""Merge the decisions of two databases, and find what follows from them. Pure.

Of a field that a learner can change the last decision holds, so a record's value of it is drawn
from the united decisions and never compared with the other side's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cache, partial
from operator import attrgetter
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from studyattn.setting import OF_ONE_MACHINE
from studyattn.store.decisions import (
    BEFORE_DECISIONS,
    DECIDED,
    DecisionKey,
    decision_key,
    joined_wholes,
    latest,
)
from studyattn.store.snapshot import (
    BroughtBackRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    DecisionRecord,
    ItemRecord,
    NoteRecord,
    Record,
    SettingRecord,
    Snapshot,
    WordingRecord,
)
from studyattn.store.tags import tags_of

AnyRecord = TypeVar("AnyRecord", bound=Record)


def record_name(record: Record) -> str:
    """Return what a record is called among those of its type; nothing for one without a name."""
    return _naming(type(record))(record)


def by_name(records: Iterable[AnyRecord]) -> dict[str, AnyRecord]:
    """Return records of one type by their names."""
    listed = [*records]
    name_of = _naming(type(listed[0])) if listed else record_name
    return {name_of(each): each for each in listed}


@cache
def _naming(kind: type[Record]) -> Callable[[Any], str]:
    """Return what names the records of a type."""
    if kind is DecisionRecord:
        return lambda record: " ".join(decision_key(record))
    if kind in {ConceptChangeRecord, WordingRecord}:
        return lambda _record: ""
    # A uuid or guid of its own, else the item or the key that it is about: its first field.
    return attrgetter(kind.__struct_fields__[0])


def settled(snapshot: Snapshot, items: Collection[str]) -> Snapshot:
    """Return the snapshot with a decision for every choice in it, of items only for these.

    A file that is older than decisions, or of another program, has choices alone: they count as
    made before all decisions.
    """
    there = {decision_key(each) for each in snapshot.decisions}
    implied = tuple(each for each in _implied(snapshot, items) if decision_key(each) not in there)
    return replace(snapshot, decisions=(*snapshot.decisions, *implied))


_CHOICES: Final[tuple[tuple[Any, str, str], ...]] = (
    ("item", "items", "suspended"),
    ("item", "items", "marked"),
    ("item", "items", "buried_until"),
    ("item", "items", "tags"),
    ("concept", "concepts", "joined_into"),
    ("brought-back", "brought_back", "taken_back_at"),
    ("setting", "settings", "value"),
)
"""The fields of records that say what was decided: kind, list, field."""


def _implied(snapshot: Snapshot, items: Collection[str]) -> Iterator[DecisionRecord]:
    # The items first: all of them are many, and few of them are met.
    met = replace(snapshot, items=tuple(each for each in snapshot.items if each.guid in items))
    for kind, records, field in _CHOICES:
        for each in getattr(met, records):
            name, value = record_name(each), getattr(each, field)
            if not (value is None or value is False or value == () or name in OF_ONE_MACHINE):
                yield DecisionRecord(kind, name, field, _plain(value), BEFORE_DECISIONS, "")


def _plain(value: object) -> object:
    """Return a value as JSON has it."""
    if isinstance(value, date):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


class Decided:
    """The last decision on each field, of both sides."""

    def __init__(self, ours: Snapshot, theirs: Snapshot) -> None:
        self._last = latest((*ours.decisions, *theirs.decisions))
        self._items = {name for kind, name, _ in self._last if kind == "item"}
        self._slugs = {each.slug for each in (*ours.concepts, *theirs.concepts)}

    def records(self, stored: Collection[DecisionKey]) -> tuple[DecisionRecord, ...]:
        """Return the decisions that hold, of those on `stored`: others say what records say."""
        return tuple(each for key, each in self._last.items() if key in stored)

    def item(self, item: ItemRecord) -> ItemRecord:
        """Return an item as the learner wants it."""
        if item.guid not in self._items:
            return item
        value = partial(self._value, "item", item.guid)
        concept: str = value("concept", default=item.concept)
        return replace(
            item,
            suspended=value("suspended", default=False),
            marked=value("marked", default=False),
            buried_until=value("buried_until", default=None),
            tags=tags_of(value("tags", default=())),
            concept=concept if concept in self._slugs else item.concept,
            retired=value("removed", default=item.retired),
        )

    def is_own_wording(self, guid: str, card: CardRecord) -> bool:
        """Return whether a card's text is the learner's, and was not taken back."""
        if card.edited_at is None:
            return False
        decision = self._last.get(("item", guid, "reworded"))
        return decision is None or bool(decision.value) or card.edited_at > decision.at

    def concepts(self, concepts: Sequence[ConceptRecord]) -> Iterator[ConceptRecord]:
        """Yield concepts with what each is joined into."""
        slugs = [each.slug for each in concepts]
        joined = {slug: self._value("concept", slug, "joined_into", default=None) for slug in slugs}
        wholes = joined_wholes(slugs, joined)
        for each in concepts:
            whole = wholes[each.slug]
            yield replace(each, joined_into=None if whole == each.slug else whole)

    def is_removed(self, note: NoteRecord) -> bool:
        """Return whether a note was removed and not written since."""
        decision = self._last.get(("note", note.guid, "removed"))
        return decision is not None and bool(decision.value) and note.updated_at <= decision.at

    def note(self, note: NoteRecord) -> NoteRecord:
        """Return a note with what the learner tied it to."""
        about: tuple[str | None, str | None, str | None] = self._value(
            "note", note.guid, "about", default=(note.concept, note.source, note.item)
        )
        return replace(note, concept=about[0], source=about[1], item=about[2])

    def brought_back(self, back: BroughtBackRecord) -> BroughtBackRecord:
        """Return a card that was brought back, or let go since."""
        at: datetime | None = self._value("brought-back", back.uuid, "taken_back_at", default=None)
        return replace(back, taken_back_at=at)

    def settings(self, ours: Iterable[SettingRecord]) -> tuple[SettingRecord, ...]:
        """Return the settings: those of one machine are ours, the others as last chosen."""
        own = tuple(each for each in ours if each.key in OF_ONE_MACHINE)
        chosen = (
            SettingRecord(each.name, each.value)
            for each in self._last.values()
            if each.kind == "setting" and each.value is not None
        )
        return (*own, *(each for each in chosen if each.key not in OF_ONE_MACHINE))

    def _value(self, kind: str, name: str, field: str, *, default: Any) -> Any:
        decision = self._last.get((kind, name, field))
        if decision is None:
            return default
        return msgspec.convert(decision.value, DECIDED[kind, field])
