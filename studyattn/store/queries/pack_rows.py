"""The rows that a pack has in the database: its concepts, items and cards, and its digest.

Rows of a pack are never deleted. What a pack no longer has is retired, and keeps its history.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from msgspec import structs

from studyattn.store.queries.bulk import Columns, insert_rows, last_id, update_rows
from studyattn.store.queries.settings import PACK, put_value, remove_value
from studyattn.store.snapshot import CardRecord
from studyattn.store.sql import Connection, Statements, do, rows

_SQL = Statements(__file__)


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


def remember_pack(connection: Connection, pack: str, about: Mapping[str, object]) -> None:
    """Keep what a pack said about itself when it was written.

    That is its digest, version, title and place, and what the queue needs of its lessons and
    drills.
    """
    put_value(connection, f"{PACK}{pack}", dict(about))


def forget_pack(connection: Connection, pack: str) -> None:
    """Delete the digest of a pack."""
    remove_value(connection, f"{PACK}{pack}")


def concept_names(connection: Connection) -> list[ConceptName]:
    """Return the name of every concept."""
    return rows(connection, ConceptName, "SELECT id, slug, pack FROM concept")


def add_concept(connection: Connection, slug: str, pack: str, concept: PackConcept) -> int:
    """Add a concept of a pack, which is unseen. Return its row."""
    number = last_id(connection, "concept") + 1
    row = {"id": number, "slug": slug, "pack": pack, **asdict(concept)}
    insert_rows(connection, "concept", [row])
    return number


def change_concept(connection: Connection, row: int, concept: PackConcept) -> None:
    """Write what the pack now says about a concept, which comes back if it was retired."""
    update_rows(connection, "concept", "id", [{"id": row, "retired": False, **asdict(concept)}])


def retire_concepts(connection: Connection, rows: Collection[int]) -> None:
    """Retire concepts that their pack no longer has."""
    do(connection, _SQL.retire_concepts, ids=rows)


def replace_requirements(
    connection: Connection, concepts: Collection[int], edges: Sequence[tuple[int, int]]
) -> None:
    """Let `concepts` require what `edges` say, pairs of a concept and what it requires."""
    do(connection, _SQL.forget_requirements, concepts=concepts)
    found = [{"concept_id": concept, "requires_id": requires} for concept, requires in edges]
    insert_rows(connection, "concept_requires", found)


def claim_items(connection: Connection, pack: str, guids: Collection[str]) -> None:
    """Make items with these guids the pack's: a damaged file may have them under another name."""
    do(connection, _SQL.claim_items, guids=guids, pack=pack)


def stored_items(connection: Connection, pack: str) -> dict[str, StoredItem]:
    """Return the items of a pack by their guid, the retired ones too."""
    return {each.guid: each for each in rows(connection, StoredItem, _SQL.stored_items, pack=pack)}


def add_items(connection: Connection, pack: str, items: Sequence[NewItem], at: datetime) -> None:
    """Add items with their cards in two statements, however many they are."""
    item_rows: list[Columns] = []
    card_rows: list[Columns] = []
    for id_, item in enumerate(items, start=last_id(connection, "item") + 1):
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
    insert_rows(connection, "item", item_rows)
    insert_rows(connection, "card", card_rows)


def change_card(connection: Connection, item: int, card: CardRecord, *, keep_wording: bool) -> None:
    """Write a card's new text; with `keep_wording` only its digest and its siblings."""
    columns = structs.asdict(card)
    if keep_wording:
        columns = {"digest": card.digest, "sibling_group": card.sibling_group}
    update_rows(connection, "card", "item_id", [{"item_id": item, **columns}])


def move_items(connection: Connection, items: Sequence[StoredItem]) -> None:
    """Write the concepts and positions of items, and whether they are retired."""
    columns = ("id", "concept_id", "position", "retired")
    moved = [{name: getattr(item, name) for name in columns} for item in items]
    update_rows(connection, "item", "id", moved)


def retire_items(connection: Connection, rows: Collection[int]) -> None:
    """Retire items that their pack no longer has."""
    do(connection, _SQL.retire_items, ids=rows)


def retire_pack(connection: Connection, pack: str) -> int:
    """Retire a pack's concepts and items. Return how many items that were."""
    items = do(connection, _SQL.retire_items_of, pack=pack)
    do(connection, _SQL.retire_concepts_of, pack=pack)
    return items
