"""Takes a pack into the learner's database: one transaction, and only when its files changed.

What the learner did is never undone: an item's memory is not touched, a card that the learner
edited keeps its wording, and what a pack no longer has is retired, to come back with its history
when the pack has it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from studyattn.errors import PackError
from studyattn.packs.digest import pack_digest
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import Concept, Pack, PackItem
from studyattn.packs.read import load_pack
from studyattn.store import models
from studyattn.store.database import Database

_SETTING: Final = "pack:"


@dataclass(frozen=True, slots=True)
class Synced:
    """What taking one pack over changed, in items."""

    pack: str
    added: int = 0
    changed: int = 0
    retired: int = 0
    returned: int = 0


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a start took over, and which packs could not be read: their items stay as they were."""

    synced: tuple[Synced, ...]
    problems: tuple[PackError, ...]


def sync_installed(database: Database, at: datetime) -> SyncReport:
    """Every installed pack that changed, and the retirement of packs that are gone."""
    with database.read() as connection:
        known = _known_digests(connection)
    synced: list[Synced] = []
    problems: list[PackError] = []
    present: dict[str, Path] = {}
    for folder in installed_packs(database.home):
        try:
            name, pack = _changed(folder, known)
            _refuse_second(name, folder, present)
            if pack is not None:
                synced.append(sync_pack(database, pack, at))
        except PackError as error:
            problems.append(error)
    if not problems:  # a pack that cannot be read is not a pack that is gone
        synced.extend(_retire_pack(database, name) for name in known if name not in present)
    return SyncReport(tuple(synced), tuple(problems))


def sync_pack(database: Database, pack: Pack, at: datetime) -> Synced:
    """Take `pack` over unless the database has it as it is."""
    with database.write() as connection:
        if _known_digests(connection).get(pack.id) == pack.digest:
            return Synced(pack.id)
        concepts = _sync_concepts(connection, pack)
        _sync_requires(connection, pack, concepts)
        result = _sync_items(connection, pack, concepts, at)
        _remember_digest(connection, pack)
    return result


def _changed(folder: Path, known: Mapping[str, str]) -> tuple[str, Pack | None]:
    """The id of the pack in `folder`, and the pack itself unless its digest is known."""
    try:
        digest = pack_digest(folder)
    except OSError as error:
        raise PackError(
            f"cannot be read: {error.strerror}", where=str(error.filename or folder)
        ) from error
    name = next((each for each, held in known.items() if held == digest), None)
    if name is not None:
        return name, None
    pack = load_pack(folder)
    return pack.id, pack


def _refuse_second(name: str, folder: Path, present: dict[str, Path]) -> None:
    if name in present:
        raise PackError(
            f"a pack called {name!r} is at {present[name]} already",
            where=str(folder),
            advice="Remove one of them, or give it another id",
        )
    present[name] = folder


# ── concepts ─────────────────────────────────────────────────────────────────────────────────────


def _sync_concepts(connection: Connection, pack: Pack) -> dict[str, int]:
    """The pack's concepts as rows; their ids by the slug that the pack gives them."""
    table = models.ConceptRow
    rows = connection.execute(select(table.id, table.slug, table.pack)).all()
    own = {row.slug: row.id for row in rows if row.pack == pack.id}
    others = {row.slug for row in rows if row.pack != pack.id}
    ids: dict[str, int] = {}
    for position, concept in enumerate(pack.concepts.values()):
        slug = concept.slug
        if slug not in own and slug in others:
            slug = f"{pack.id}-{slug}"  # another pack or an import was here first
        values = _concept_values(concept, position)
        if slug in own:
            connection.execute(update(table).where(table.id == own[slug]).values(**values))
            ids[concept.slug] = own[slug]
        else:
            inserted = connection.execute(
                insert(table).values(slug=slug, pack=pack.id, state="unseen", **values)
            )
            ids[concept.slug] = _new_id(inserted.inserted_primary_key)
    gone = set(own.values()) - set(ids.values())
    connection.execute(update(table).where(table.id.in_(gone)).values(retired=True))
    return ids


def _concept_values(concept: Concept, position: int) -> dict[str, Any]:
    return {
        "title": concept.title,
        "body": concept.body,
        "position": position,
        "core": concept.core,
        "retired": False,
    }


def _sync_requires(connection: Connection, pack: Pack, ids: Mapping[str, int]) -> None:
    table = models.ConceptRequiresRow
    connection.execute(delete(table).where(table.concept_id.in_(ids.values())))
    edges = [
        {"concept_id": ids[concept.slug], "requires_id": ids[slug]}
        for concept in pack.concepts.values()
        for slug in dict.fromkeys(concept.requires)
        if slug in ids
    ]
    if edges:
        connection.execute(insert(table), edges)


# ── items and cards ──────────────────────────────────────────────────────────────────────────────


def _sync_items(
    connection: Connection, pack: Pack, concepts: Mapping[str, int], at: datetime
) -> Synced:
    items = list(pack.items())
    stored = _stored_items(connection, pack.id)
    present = {item.guid for item in items}
    changed = returned = 0
    new: list[tuple[PackItem, dict[str, Any]]] = []
    moves: list[dict[str, Any]] = []
    for position, item in enumerate(items):
        row = stored.get(item.guid)
        concept = concepts[item.concept]
        if row is None:
            place = {"pack": pack.id, "concept_id": concept, "position": position}
            new.append((item, {**place, "created_at": at}))
            continue
        if (row.concept_id, row.position, row.retired) != (concept, position, False):
            moves.append({"item": row.id, "concept": concept, "place": position})
            returned += row.retired
        if item.card is not None and row.digest != item.card.digest():
            _update_card(connection, row.id, item, edited=row.edited_at is not None)
            changed += 1
    _insert_items(connection, new)
    _move(connection, moves)
    gone = [row.id for guid, row in stored.items() if guid not in present and not row.retired]
    connection.execute(
        update(models.ItemRow).where(models.ItemRow.id.in_(gone)).values(retired=True)
    )
    return Synced(pack.id, len(new), changed, len(gone), returned)


def _stored_items(connection: Connection, pack_id: str) -> dict[str, Any]:
    item, card = models.ItemRow, models.CardRow
    query = (
        select(
            item.id,
            item.guid,
            item.concept_id,
            item.position,
            item.retired,
            card.digest,
            card.edited_at,
        )
        .outerjoin(card, card.item_id == item.id)
        .where(item.pack == pack_id)
    )
    return {row.guid: row for row in connection.execute(query)}


def _insert_items(connection: Connection, new: Sequence[tuple[PackItem, dict[str, Any]]]) -> None:
    """Items with their cards. They are numbered here, so that a whole pack is two statements."""
    last = connection.scalar(select(func.coalesce(func.max(models.ItemRow.id), 0))) or 0
    items: list[dict[str, Any]] = []
    cards: list[dict[str, Any]] = []
    for number, (item, columns) in enumerate(new, start=last + 1):
        kind = "drill" if item.card is None else "card"
        items.append({"id": number, "guid": item.guid, "kind": kind, **columns})
        if item.card is not None:
            cards.append({"item_id": number, **_card_values(item)})
    if items:
        connection.execute(insert(models.ItemRow), items)
    if cards:
        connection.execute(insert(models.CardRow), cards)


def _update_card(connection: Connection, item_id: int, item: PackItem, *, edited: bool) -> None:
    """The pack's new text. Of a card that the learner edited only the digest follows."""
    values = _card_values(item)
    if edited:
        values = {"digest": values["digest"], "sibling_group": values["sibling_group"]}
    connection.execute(
        update(models.CardRow).where(models.CardRow.item_id == item_id).values(**values)
    )


def _card_values(item: PackItem) -> dict[str, Any]:
    card = item.card
    if card is None:
        raise ValueError(f"{item.guid} is a drill and has no card")
    return {
        "kind": card.kind.value,
        "front": card.front,
        "back": card.back,
        "answer": card.answer,
        "extra": dict(card.extra),
        "digest": card.digest(),
        "sibling_group": item.sibling_group,
    }


def _move(connection: Connection, moves: list[dict[str, Any]]) -> None:
    """Other concepts, other places along the path, and back from retirement."""
    if moves:
        item = models.ItemRow
        connection.execute(
            update(item)
            .where(item.id == bindparam("item"))
            .values(concept_id=bindparam("concept"), position=bindparam("place"), retired=False),
            moves,
        )


def _new_id(key: Any) -> int:
    return int(key[0])


# ── which packs the database has ─────────────────────────────────────────────────────────────────


def _known_digests(connection: Connection) -> dict[str, str]:
    """The digest of each pack as it was taken over, by the pack's id."""
    setting = models.SettingRow
    rows = connection.execute(
        select(setting.key, setting.value).where(setting.key.startswith(_SETTING))
    )
    return {row.key.removeprefix(_SETTING): str(row.value["digest"]) for row in rows}


def _remember_digest(connection: Connection, pack: Pack) -> None:
    key = f"{_SETTING}{pack.id}"
    value = {"digest": pack.digest, "version": pack.version, "title": pack.title}
    connection.execute(delete(models.SettingRow).where(models.SettingRow.key == key))
    connection.execute(insert(models.SettingRow).values(key=key, value=value))


def _retire_pack(database: Database, name: str) -> Synced:
    """A pack that is installed no more: its items rest, and its digest is forgotten."""
    concept, item, setting = models.ConceptRow, models.ItemRow, models.SettingRow
    with database.write() as connection:
        resting = connection.execute(
            update(item).where(item.pack == name, item.retired.is_(False)).values(retired=True)
        )
        connection.execute(update(concept).where(concept.pack == name).values(retired=True))
        connection.execute(delete(setting).where(setting.key == f"{_SETTING}{name}"))
    return Synced(name, retired=resting.rowcount)
