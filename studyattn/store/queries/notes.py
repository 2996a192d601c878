"""The learner's notes, the earlier wordings of notes and cards, and cards of the learner's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from msgspec.structs import asdict
from sqlalchemy import Connection, Select, delete, func, insert, select, update
from sqlalchemy.orm import aliased

from studyattn.store.models import CardRow, ConceptRow, ItemRow, NoteRow, SourceRow, WordingRow
from studyattn.store.queries.decisions import decide
from studyattn.store.snapshot import CardRecord
from studyattn.store.vocabulary import CARD


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note, with the names of what it is about. `id` is the number that commands take."""

    id: int
    guid: str
    title: str
    body: str  # Markdown
    concept: str | None  # slug
    source: str | None  # title of the document
    source_guid: str | None
    item: str | None  # guid
    created_at: datetime
    updated_at: datetime


class NoteTies(NamedTuple):
    """The numbers of the rows that a note is about."""

    concept_id: int | None
    source_id: int | None
    item_id: int | None


class LinkingText(NamedTuple):
    """A note whose text has links."""

    id: int
    title: str
    body: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class EarlierWording:
    """One earlier wording. Of a card `title` is the question and `body` the answer."""

    at: datetime | None  # since when it was worded so; None: as it came from a pack or source
    title: str
    body: str


# ── notes ────────────────────────────────────────────────────────────────────────────────────────


def read_note(connection: Connection, number: int) -> NoteView | None:
    """Return the note with this number, or None."""
    row = connection.execute(_notes().where(NoteRow.id == number)).one_or_none()
    return None if row is None else NoteView(*row)


def note_of_item(connection: Connection, guid: str) -> NoteView | None:
    """Return the first note that was written on an item; None without one."""
    of_item = _notes().where(ItemRow.guid == guid).order_by(NoteRow.created_at, NoteRow.id)
    row = connection.execute(of_item.limit(1)).one_or_none()
    return None if row is None else NoteView(*row)


def list_notes(connection: Connection, concept_id: int | None, limit: int | None) -> list[NoteView]:
    """Return notes, the last changed first; those of one concept if one is given."""
    statement = _notes().order_by(NoteRow.updated_at.desc(), NoteRow.id.desc()).limit(limit)
    if concept_id is not None:
        statement = statement.where(NoteRow.concept_id == concept_id)
    return [NoteView(*row) for row in connection.execute(statement)]


def _notes() -> Select[*tuple[Any, ...]]:
    return (
        select(
            NoteRow.id,
            NoteRow.guid,
            NoteRow.title,
            NoteRow.body,
            ConceptRow.slug,
            SourceRow.title,
            SourceRow.guid,
            ItemRow.guid,
            NoteRow.created_at,
            NoteRow.updated_at,
        )
        .outerjoin(ConceptRow, ConceptRow.id == NoteRow.concept_id)
        .outerjoin(SourceRow, SourceRow.id == NoteRow.source_id)
        .outerjoin(ItemRow, ItemRow.id == NoteRow.item_id)
    )


def count_notes(connection: Connection) -> int:
    """Return the number of notes."""
    return connection.execute(select(func.count(NoteRow.id))).scalar_one()


def notes_with_links(connection: Connection) -> list[LinkingText]:
    """Return the notes whose text has a link in it, the last changed first."""
    rows = connection.execute(
        select(NoteRow.id, NoteRow.title, NoteRow.body, NoteRow.updated_at)
        .where(NoteRow.body.contains("[["))
        .order_by(NoteRow.updated_at.desc(), NoteRow.id.desc())
    )
    return [LinkingText(*row) for row in rows]


def insert_note(
    connection: Connection,
    *,
    guid: str,
    title: str,
    body: str,
    ties: NoteTies,
    created_at: datetime,
    updated_at: datetime,
    number: int | None = None,
) -> int:
    """Add a note, under `number` if one is given, and return its number."""
    values = {} if number is None else {"id": number}
    made = connection.execute(
        insert(NoteRow).values(
            guid=guid,
            title=title,
            body=body,
            created_at=created_at,
            updated_at=updated_at,
            **ties._asdict(),
            **values,
        )
    ).inserted_primary_key
    return 0 if made is None else int(made[0])


def update_note(
    connection: Connection, number: int, title: str, body: str, updated_at: datetime
) -> None:
    """Replace the text of a note, which counts as written later than the text before."""
    before = connection.scalar(select(NoteRow.updated_at).where(NoteRow.id == number))
    if before is not None and updated_at <= before:  # by a clock that is ahead of ours
        updated_at = before + timedelta(microseconds=1)
    connection.execute(
        update(NoteRow)
        .where(NoteRow.id == number)
        .values(title=title, body=body, updated_at=updated_at)
    )


def tie_note(connection: Connection, number: int, ties: NoteTies, at: datetime) -> None:
    """Change what a note is about."""
    connection.execute(update(NoteRow).where(NoteRow.id == number).values(**ties._asdict()))
    note = read_note(connection, number)
    if note is not None:
        about = [note.concept, note.source_guid, note.item]
        decide(connection, "note", note.guid, "about", about, at)


def delete_note(connection: Connection, number: int, at: datetime) -> None:
    """Remove a note; its earlier wordings stay."""
    note = connection.execute(
        select(NoteRow.guid, NoteRow.updated_at).where(NoteRow.id == number)
    ).one_or_none()
    if note is not None:
        connection.execute(delete(NoteRow).where(NoteRow.id == number))
        decide(connection, "note", note.guid, "removed", True, max(at, note.updated_at))


def bring_back_note(connection: Connection, guid: str, at: datetime) -> None:
    """Keep that a note which was removed is there again; the caller adds its row."""
    decide(connection, "note", guid, "removed", False, at)


# ── earlier wordings ─────────────────────────────────────────────────────────────────────────────


def earlier_wordings(connection: Connection, guid: str) -> list[EarlierWording]:
    """Return the earlier wordings of a card or note, the latest first."""
    rows = connection.execute(
        select(WordingRow.at, WordingRow.title, WordingRow.body)
        .where(WordingRow.guid == guid)
        .order_by(WordingRow.at.desc().nulls_last(), WordingRow.id.desc())
    )
    return [EarlierWording(*row) for row in rows]


def keep_wording(
    connection: Connection, guid: str, at: datetime | None, title: str, body: str
) -> None:
    """Keep the text of a card or note, within the transaction that replaces it."""
    connection.execute(insert(WordingRow).values(guid=guid, at=at, title=title, body=body))


# ── the learner's own cards, and names for what was found ────────────────────────────────────────


def item_number(connection: Connection, guid: str) -> int | None:
    """Return the number of the item's row, or None."""
    return connection.scalar(select(ItemRow.id).where(ItemRow.guid == guid))


def insert_own_cards(
    connection: Connection,
    cards: Mapping[str, CardRecord],
    *,
    concept_id: int,
    source_id: int | None,
    at: datetime,
) -> None:
    """Add cards, by their guids, behind all other items."""
    last = connection.execute(select(func.coalesce(func.max(ItemRow.position), 0))).scalar_one()
    for position, (guid, card) in enumerate(cards.items(), start=last + 1):
        made = connection.execute(
            insert(ItemRow).values(
                guid=guid,
                kind=CARD,
                concept_id=concept_id,
                source_id=source_id,
                position=position,
                created_at=at,
            )
        ).inserted_primary_key
        item_id = 0 if made is None else int(made[0])
        connection.execute(insert(CardRow).values(item_id=item_id, **asdict(card)))


def concepts_of_cards(connection: Connection, guids: Collection[str]) -> dict[str, str]:
    """Return, by the guid of each card, the title of the concept that it counts with."""
    if not guids:
        return {}
    whole = aliased(ConceptRow)
    rows = connection.execute(
        select(ItemRow.guid, func.coalesce(whole.title, ConceptRow.title))
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .outerjoin(whole, whole.id == ConceptRow.joined_into_id)
        .where(ItemRow.guid.in_(guids))
    )
    return dict(rows.all())


def subjects_of_notes(connection: Connection, numbers: Collection[int]) -> dict[int, str]:
    """Return, by the number of each note, the title of its concept or source; "" for none."""
    if not numbers:
        return {}
    rows = connection.execute(
        select(NoteRow.id, func.coalesce(ConceptRow.title, SourceRow.title, ""))
        .outerjoin(ConceptRow, ConceptRow.id == NoteRow.concept_id)
        .outerjoin(SourceRow, SourceRow.id == NoteRow.source_id)
        .where(NoteRow.id.in_(numbers))
    )
    return dict(rows.all())
