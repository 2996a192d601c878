"""Carry a plan out: its records beside those that are there, then what became of the concepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import count, starmap
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from studyattn.exchange.documents.draft import LearnedBefore
from studyattn.exchange.documents.edits import edits_to_json
from studyattn.exchange.documents.plan import (
    ImportPlan,
    PlannedCard,
    PlannedChange,
    PlannedConcept,
    PlannedSource,
)
from studyattn.exchange.merge.decided import record_name
from studyattn.packs.card_kinds import BASIC
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import StateChange, join, record_change, record_changes
from studyattn.store.queries.imports import LastRows, concept_ids
from studyattn.store.queries.snapshot import Some, apply_snapshot, load_snapshot
from studyattn.store.snapshot import (
    LISTS,
    CardRecord,
    ConceptRecord,
    ItemRecord,
    MemoryStartRecord,
    NoteRecord,
    Record,
    Snapshot,
    SourceRecord,
)
from studyattn.store.tags import tags_of

_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
"""The first day a last review may have; a schedule written by hand may give an earlier one."""
AUTHOR: Final = "import"

Thing = TypeVar("Thing", PlannedCard, PlannedConcept)
Named = TypeVar("Named", bound=Record)


def write_plan(
    connection: Connection, plan: ImportPlan, at: datetime, accept_joins: Iterable[str]
) -> tuple[str, ...]:
    """Write all of it. `accept_joins` are the slugs of concepts whose proposed join is accepted.

    Returns the guids of the cards that begin with a memory, which has to be worked out yet.
    """
    sources = [each for each in plan.sources if each.change is not PlannedChange.UNCHANGED]
    before = _beside(connection, sources)
    apply_snapshot(connection, before, _after(before, sources, plan.last, at))
    ids = concept_ids(connection)
    concepts = [each for source in sources for each in source.concepts]
    new = [StateChange(ids[e.slug], e.state, e.reason) for e in _of(concepts, PlannedChange.NEW)]
    record_changes(connection, new, AUTHOR, at)
    for moved in _of(concepts, PlannedChange.EDITED):
        if moved.moves:
            record_change(connection, ids[moved.slug], moved.state, moved.reason, AUTHOR, at)
    accepted = set(accept_joins)
    for proposal in plan.joins:
        if proposal.slug in accepted:
            join(connection, ids[proposal.slug], ids[proposal.into], AUTHOR, at)
    return tuple(_learned(sources))


def _of(things: Iterable[Thing], change: PlannedChange) -> Sequence[Thing]:
    return [each for each in things if each.change is change]


def _beside(connection: Connection, sources: Sequence[PlannedSource]) -> Snapshot:
    """Return the records that a plan may change."""
    cards = {each.guid for source in sources for each in source.cards}
    named = {
        "source": ("guid", {each.guid for each in sources}),
        "concept": ("slug", {each.slug for source in sources for each in source.concepts}),
        "item": ("guid", cards),
        "note": ("guid", {each.guid for source in sources for each in source.notes}),
        "memory_start": ("item_guid", cards),
    }
    only = {of.table: Some("FALSE") for of in LISTS.values()}
    for table, (key, names) in named.items():
        only[table] = Some(f"{key} IN @texts(:names)", names)
    return load_snapshot(connection, only)


def _after(
    before: Snapshot, sources: Sequence[PlannedSource], last: LastRows, at: datetime
) -> Snapshot:
    """Return the records with all that is planned; new ones are behind the others."""
    return replace(
        before,
        sources=_united(before.sources, (_source(each, at) for each in sources)),
        concepts=_united(before.concepts, _concepts(before, sources, last.concept)),
        items=_united(before.items, _items(before, sources, last.item, at)),
        notes=_united(before.notes, _notes(before, sources, at)),
        starts=_united(before.starts, starmap(partial(_start, at), _learned(sources).items())),
    )


def _united(before: Iterable[Named], made: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(({record_name(e): e for e in before} | {record_name(e): e for e in made}).values())


def _source(source: PlannedSource, at: datetime) -> SourceRecord:
    return SourceRecord(
        *(source.guid, source.kind, source.title, source.path, source.text, source.digest),
        *(source.front_matter, at, edits_to_json(source.edits)),
    )


def _concepts(
    before: Snapshot, sources: Sequence[PlannedSource], last: int
) -> Iterator[ConceptRecord]:
    old = {each.slug: each for each in before.concepts}
    positions = count(last + 1)
    for source in sources:
        for idea in source.concepts:
            if idea.change is PlannedChange.NEW:
                yield ConceptRecord(
                    *(idea.slug, idea.title, "unseen", idea.body, None, source.guid, None),
                    *(next(positions), False, False, ()),
                )
            elif idea.change is PlannedChange.EDITED:
                yield replace(old[idea.slug], title=idea.title, body=idea.body)


def _items(
    before: Snapshot, sources: Sequence[PlannedSource], last: int, at: datetime
) -> Iterator[ItemRecord]:
    old = {each.guid: each for each in before.items}
    positions = count(last + 1)
    for source in sources:
        for card in source.cards:
            if card.change is PlannedChange.NEW:
                text = (BASIC.name, card.front, card.back, None, _extra(card), card.digest)
                yield ItemRecord(
                    *(card.guid, "card", card.concept, source.guid, None, next(positions), at),
                    *(False, False, False, None, CardRecord(*text, None, None)),
                    tags=tags_of(card.tags),
                )
            elif card.change is PlannedChange.EDITED and (there := old[card.guid].card):
                own = card.keeps_wording or there.edited_at is not None
                new = {} if own else {"front": card.front, "back": card.back, "extra": _extra(card)}
                yield replace(old[card.guid], card=replace(there, digest=card.digest, **new))


def _notes(
    before: Snapshot, sources: Sequence[PlannedSource], at: datetime
) -> Iterator[NoteRecord]:
    old = {each.guid: each for each in before.notes}
    for source in sources:
        for note in source.notes:
            if note.change is PlannedChange.NEW:
                about = (None, source.guid, None)
                yield NoteRecord(note.guid, note.title, note.body, *about, at, at)
            elif note.change is PlannedChange.EDITED and not note.keeps_wording:
                text = {"title": note.title, "body": note.body}
                yield replace(old[note.guid], updated_at=at, **text)


def _learned(sources: Iterable[PlannedSource]) -> dict[str, LearnedBefore]:
    """Return the memories with which new cards begin, by guid."""
    cards = _of((each for source in sources for each in source.cards), PlannedChange.NEW)
    return {each.guid: each.learned for each in cards if each.learned is not None}


def _extra(card: PlannedCard) -> dict[str, Any]:
    links = [{"text": link.text, "address": link.address} for link in card.links]
    return {"links": links} if links else {}


def _start(at: datetime, guid: str, learned: LearnedBefore) -> MemoryStartRecord:
    """Return where a memory begins: at noon of the last review, which was before the import."""
    last = max(learned.due.toordinal() - round(learned.interval), _FIRST_DAY)
    day = min(date.fromordinal(last), at.astimezone(UTC).date())
    noon = datetime.combine(day, time(12), UTC)
    return MemoryStartRecord(guid, min(noon, at), 0, day, learned.interval, learned.ease)
