"""Take a pack into the learner's database, in one transaction; `installed` says which.

What the learner did is never undone: an item's memory is not touched, a card that the learner
edited keeps its wording, and what a pack no longer has is retired, to come back with its history
when the pack has it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from studyattn.memory.state import drill_guid
from studyattn.packs.model import Pack, PackItem
from studyattn.packs.pages import reading_before
from studyattn.store.database import Connection, Database
from studyattn.store.queries import pack_rows
from studyattn.store.queries.settings import WrittenPack, written_packs
from studyattn.store.snapshot import CardRecord


@dataclass(frozen=True, slots=True)
class Synced:
    """Counts of items of one pack that were added, changed, retired and brought back."""

    pack: str
    added: int = 0
    changed: int = 0
    retired: int = 0
    returned: int = 0


def sync_pack(
    database: Database, pack: Pack, at: datetime, place: int | None = 0, share: int = 1
) -> Synced:
    """Sync one pack, unless the database has it as it is.

    Packs with a smaller `place` are taught before it, those with the same one along with it, of
    this one `share` concepts for each of theirs. With None it is put aside: its items are retired
    until it has a place again.
    """
    with database.write() as connection:
        written = written_packs(connection).get(pack.id)
        if written == WrittenPack(pack.digest, place, pack.after):
            return Synced(pack.id)
        if place is None:
            result = Synced(pack.id, retired=pack_rows.retire_pack(connection, pack.id))
        else:
            concepts = _sync_concepts(connection, pack, place * APART, share)
            result = _sync_items(connection, pack, concepts, at, place * APART)
        about = {
            "digest": pack.digest,
            "place": place,
            "after": pack.after,
            "version": pack.version,
            "title": pack.title,
            "reading": reading_before(pack),
            "drills": {
                drill_guid(pack.id, drill.id): {
                    "level": drill.level,
                    "requires": [drill_guid(pack.id, each) for each in drill.requires],
                    "steps": [(each.title, each.minutes) for each in drill.steps],
                }
                for drill in pack.drills.values()
            },
        }
        pack_rows.remember_pack(connection, pack.id, about)
    return result


APART: Final = 1_000_000
"""Positions of a pack's concepts and items, before those of the pack that is taught next."""

STEP: Final = 100
"""Positions from one concept to the next, divided by the pack's share."""


def _sync_concepts(connection: Connection, pack: Pack, first: int, share: int) -> dict[str, int]:
    """Write the pack's concepts, from the position `first` on. Return their rows by their slugs."""
    names = pack_rows.concept_names(connection)
    own = {name.slug: name.id for name in names if name.pack == pack.id}
    taken = {name.slug for name in names} - own.keys()
    rows: dict[str, int] = {}
    for at, concept in enumerate(pack.concepts.values()):
        position, slug = first + at * STEP // share, concept.slug
        if slug in taken:
            slug = f"{pack.id}-{slug}"  # another pack or an import was here first
        text = pack_rows.PackConcept(concept.title, concept.body, position, concept.core)
        if slug in own:
            pack_rows.change_concept(connection, own[slug], text)
            rows[concept.slug] = own[slug]
        else:
            rows[concept.slug] = pack_rows.add_concept(connection, slug, pack.id, text)
    pack_rows.retire_concepts(connection, set(own.values()) - set(rows.values()))
    edges = [
        (rows[concept.slug], rows[slug])
        for concept in pack.concepts.values()
        for slug in dict.fromkeys(concept.requires)
        if slug in rows
    ]
    pack_rows.replace_requirements(connection, rows.values(), edges)
    return rows


def _sync_items(
    connection: Connection, pack: Pack, concepts: Mapping[str, int], at: datetime, first: int
) -> Synced:
    items = list(pack.items())
    every = [*items, *pack.explanations()]  # which are brought up to date, never added here
    guids = [item.guid for item in every]
    pack_rows.claim_items(connection, pack.id, guids)
    stored = pack_rows.stored_items(connection, pack.id)
    changed = returned = 0
    new: list[pack_rows.NewItem] = []
    moved: list[pack_rows.StoredItem] = []
    for position, item in enumerate(every, start=first):
        concept, card = concepts[item.concept], card_record(item)
        row = stored.get(item.guid)
        if row is None:
            if position < first + len(items):
                new.append(pack_rows.NewItem(item.guid, concept, position, card))
            continue
        if (row.concept_id, row.position, row.retired) != (concept, position, False):
            moved.append(replace(row, concept_id=concept, position=position, retired=False))
            returned += row.retired
        if card is not None and row.digest != card.digest:
            edited = row.edited_at is not None
            pack_rows.change_card(connection, row.id, card, keep_wording=edited)
            changed += 1
    pack_rows.add_items(connection, pack.id, new, at)
    pack_rows.move_items(connection, moved)
    absent = map(stored.__getitem__, stored.keys() - {*guids})
    gone = [row.id for row in absent if not row.retired]
    pack_rows.retire_items(connection, gone)
    return Synced(pack.id, len(new), changed, len(gone), returned)


def card_record(item: PackItem) -> CardRecord | None:
    """Return the card of an item as it is stored; None for a drill."""
    card = item.card
    if card is None:
        return None
    return CardRecord(
        kind=card.kind.name,
        front=card.front,
        back=card.back,
        answer=card.answer,
        extra=card.extra,
        digest=card.digest(),
        edited_at=None,
        sibling_group=item.sibling_group,
    )
