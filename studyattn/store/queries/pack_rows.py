"""The rows that a pack has in the database: its concepts, items and cards, and its digest.

Rows of a pack are never deleted. What a pack no longer has is retired, and keeps its history.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from msgspec import structs
from sqlalchemy import Connection, delete, insert, select, update

from studyattn.store.models import CardRow, ConceptRequiresRow, ConceptRow, ItemRow, SettingRow
from studyattn.store.queries.bulk import Columns, insert_rows, last_id, update_rows
from studyattn.store.snapshot import CardRecord

_DIGEST: Final = "pack:"
"""Prefix of the keys of the table `setting` that hold the packs' digests."""


@dataclass(frozen=True, slots=True)
class ConceptName:
    """The name of a concept, and the pack that has it, if any."""

    id: int
    slug: str
    pack: str | None


@dataclass(frozen=True, slots=True)
class PackConcept:
    """A pack's record of one of its concepts."""

    title: str
    body: str
    position: int
    core: bool


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item of a pack as the database has it; a drill has no digest."""

    id: int
    guid: str
    concept_id: int
    position: int
    retired: bool
    digest: str | None
    edited_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item that a pack adds; a drill has no card."""

    guid: str
    concept_id: int
    position: int
    card: CardRecord | None


def pack_digests(connection: Connection) -> dict[str, str]:
    """Return the digest of each pack when it was last written, by the pack's id."""
    rows = connection.execute(
        select(SettingRow.key, SettingRow.value).where(SettingRow.key.startswith(_DIGEST))
    )
    return {row.key.removeprefix(_DIGEST): str(row.value["digest"]) for row in rows}


def remember_pack(connection: Connection, pack: str, about: Mapping[str, object]) -> None:
    """Keep what a pack said about itself when it was written.

    That is its digest, version and title, and what the queue needs of its lessons and drills.
    """
    forget_pack(connection, pack)
    connection.execute(insert(SettingRow).values(key=f"{_DIGEST}{pack}", value=dict(about)))


def forget_pack(connection: Connection, pack: str) -> None:
    """Delete the digest of a pack."""
    connection.execute(delete(SettingRow).where(SettingRow.key == f"{_DIGEST}{pack}"))


def concept_names(connection: Connection) -> list[ConceptName]:
    """Return the name of every concept."""
    rows = connection.execute(select(ConceptRow.id, ConceptRow.slug, ConceptRow.pack))
    return [ConceptName(*row) for row in rows]


def add_concept(connection: Connection, slug: str, pack: str, concept: PackConcept) -> int:
    """Add a concept of a pack, which is unseen. Return its row."""
    inserted = connection.execute(
        insert(ConceptRow).values(
            slug=slug, pack=pack, state="unseen", retired=False, **asdict(concept)
        )
    )
    key: Any = inserted.inserted_primary_key
    return int(key[0])


def change_concept(connection: Connection, row: int, concept: PackConcept) -> None:
    """Write what the pack now says about a concept, which comes back if it was retired."""
    connection.execute(
        update(ConceptRow).where(ConceptRow.id == row).values(retired=False, **asdict(concept))
    )


def retire_concepts(connection: Connection, rows: Collection[int]) -> None:
    """Retire concepts that their pack no longer has."""
    connection.execute(update(ConceptRow).where(ConceptRow.id.in_(rows)).values(retired=True))


def replace_requirements(
    connection: Connection, concepts: Collection[int], edges: Sequence[tuple[int, int]]
) -> None:
    """Let `concepts` require what `edges` say, pairs of a concept and what it requires."""
    connection.execute(
        delete(ConceptRequiresRow).where(ConceptRequiresRow.concept_id.in_(concepts))
    )
    rows = [{"concept_id": concept, "requires_id": requires} for concept, requires in edges]
    insert_rows(connection, ConceptRequiresRow, rows)


def claim_items(connection: Connection, pack: str, guids: Collection[str]) -> None:
    """Make items with these guids the pack's: a damaged file may have them under another name."""
    connection.execute(
        update(ItemRow)
        .where(ItemRow.guid.in_(guids), ItemRow.pack.is_distinct_from(pack))
        .values(pack=pack)
    )


def stored_items(connection: Connection, pack: str) -> dict[str, StoredItem]:
    """Return the items of a pack by their guid, the retired ones too."""
    query = (
        select(
            ItemRow.id,
            ItemRow.guid,
            ItemRow.concept_id,
            ItemRow.position,
            ItemRow.retired,
            CardRow.digest,
            CardRow.edited_at,
        )
        .outerjoin(CardRow, CardRow.item_id == ItemRow.id)
        .where(ItemRow.pack == pack)
    )
    return {row.guid: StoredItem(*row) for row in connection.execute(query)}


def add_items(connection: Connection, pack: str, items: Sequence[NewItem], at: datetime) -> None:
    """Add items with their cards in two statements, however many they are."""
    item_rows: list[Columns] = []
    card_rows: list[Columns] = []
    for id_, item in enumerate(items, start=last_id(connection, ItemRow) + 1):
        item_rows.append(
            {
                "id": id_,
                "guid": item.guid,
                "kind": "drill" if item.card is None else "card",
                "pack": pack,
                "concept_id": item.concept_id,
                "position": item.position,
                "created_at": at,
            }
        )
        if item.card is not None:
            card_rows.append({"item_id": id_, **structs.asdict(item.card)})
    insert_rows(connection, ItemRow, item_rows)
    insert_rows(connection, CardRow, card_rows)


def change_card(connection: Connection, item: int, card: CardRecord, *, keep_wording: bool) -> None:
    """Write a card's new text; with `keep_wording` only its digest and its siblings."""
    columns = structs.asdict(card)
    if keep_wording:
        columns = {"digest": card.digest, "sibling_group": card.sibling_group}
    connection.execute(update(CardRow).where(CardRow.item_id == item).values(**columns))


def move_items(connection: Connection, items: Sequence[StoredItem]) -> None:
    """Write the concepts and positions of items, and whether they are retired."""
    columns = ("id", "concept_id", "position", "retired")
    rows = [{name: getattr(item, name) for name in columns} for item in items]
    update_rows(connection, ItemRow, "id", rows)


def retire_items(connection: Connection, rows: Collection[int]) -> None:
    """Retire items that their pack no longer has."""
    connection.execute(update(ItemRow).where(ItemRow.id.in_(rows)).values(retired=True))


def retire_pack(connection: Connection, pack: str) -> int:
    """Retire a pack's concepts and items and forget its digest. Return how many items that were."""
    items = connection.execute(
        update(ItemRow).where(ItemRow.pack == pack, ItemRow.retired.is_(False)).values(retired=True)
    )
    connection.execute(update(ConceptRow).where(ConceptRow.pack == pack).values(retired=True))
    forget_pack(connection, pack)
    return items.rowcount
