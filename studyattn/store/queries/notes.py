"""The learner's notes, the earlier wordings of notes and cards, and cards of the learner's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from studyattn.store.queries.bulk import last_id
from studyattn.store.queries.decisions import decide
from studyattn.store.sql import Connection, Statements, do, insert, row, rows, value
from studyattn.store.vocabulary import CARD

if TYPE_CHECKING:
    from studyattn.store.snapshot import CardRecord


class NoteView(NamedTuple):
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


class EarlierWording(NamedTuple):
    """One earlier wording. Of a card `title` is the question and `body` the answer."""

    at: datetime | None  # since when it was worded so; None: as it came from a pack or source
    title: str
    body: str


_SQL = Statements(__file__)


# ── notes ────────────────────────────────────────────────────────────────────────────────────────


def read_note(connection: Connection, number: int) -> NoteView | None:
    """Return the note with this number, or None."""
    return row(connection, NoteView, _SQL.read_note, number=number)


def note_of_item(connection: Connection, guid: str) -> NoteView | None:
    """Return the first note that was written on an item; None without one."""
    return row(connection, NoteView, _SQL.note_of_item, guid=guid)


def list_notes(connection: Connection, concept_id: int | None, limit: int | None) -> list[NoteView]:
    """Return notes, the last changed first; those of one concept if one is given."""
    of = "" if concept_id is None else "WHERE note.concept_id = :concept"
    statement = _SQL.list_notes.format(of=of, limit="" if limit is None else "LIMIT :most")
    return rows(connection, NoteView, statement, concept=concept_id, most=limit)


def count_notes(connection: Connection) -> int:
    """Return the number of notes."""
    return int(value(connection, _SQL.count_notes))


def notes_with_links(connection: Connection) -> list[LinkingText]:
    """Return the notes whose text has a link in it, the last changed first."""
    return rows(connection, LinkingText, _SQL.notes_with_links)


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
    number = last_id(connection, "note") + 1 if number is None else number
    insert(
        connection,
        "note",
        id=number,
        guid=guid,
        title=title,
        body=body,
        created_at=created_at,
        updated_at=updated_at,
        **ties._asdict(),
    )
    return number


def update_note(
    connection: Connection, number: int, title: str, body: str, updated_at: datetime
) -> None:
    """Replace the text of a note, which counts as written later than the text before."""
    before = row(connection, tuple[datetime], _SQL.updated_at, number=number)
    if before is not None:  # it may be by a clock that is ahead of ours
        updated_at = max(updated_at, before[0] + timedelta(microseconds=1))
    do(connection, _SQL.update_note, number=number, title=title, body=body, updated_at=updated_at)


def tie_note(connection: Connection, number: int, ties: NoteTies, at: datetime) -> None:
    """Change what a note is about."""
    do(connection, _SQL.tie_note, number=number, **ties._asdict())
    note = read_note(connection, number)
    if note is not None:
        about = [note.concept, note.source_guid, note.item]
        decide(connection, "note", note.guid, "about", about, at)


def delete_note(connection: Connection, number: int, at: datetime) -> None:
    """Remove a note; its earlier wordings stay."""
    removed = row(connection, tuple[str, datetime], _SQL.delete_note, number=number)
    if removed is not None:
        guid, updated_at = removed
        decide(connection, "note", guid, "removed", True, max(at, updated_at))


# ── earlier wordings ─────────────────────────────────────────────────────────────────────────────


def earlier_wordings(connection: Connection, guid: str) -> list[EarlierWording]:
    """Return the earlier wordings of a card or note, the latest first."""
    return rows(connection, EarlierWording, _SQL.earlier_wordings, guid=guid)


def keep_wording(
    connection: Connection, guid: str, at: datetime | None, title: str, body: str
) -> None:
    """Keep the text of a card or note, within the transaction that replaces it."""
    insert(connection, "wording", guid=guid, at=at, title=title, body=body)


# ── the learner's own cards, and names for what was found ────────────────────────────────────────


def item_number(connection: Connection, guid: str) -> int | None:
    """Return the number of the item's row, or None."""
    found: int | None = value(connection, _SQL.item_number, guid=guid)
    return found


def insert_own_cards(
    connection: Connection,
    cards: Mapping[str, CardRecord],
    *,
    concept_id: int,
    source_id: int | None,
    at: datetime,
) -> None:
    """Add cards, by their guids, behind all other items."""
    # Late: notes do without them.
    from msgspec.structs import asdict

    from studyattn.store.queries.bulk import insert_rows

    first, position = last_id(connection, "item") + 1, value(connection, _SQL.last_position) + 1
    insert_rows(
        connection,
        "item",
        [
            {
                "id": first + place,
                "guid": guid,
                "kind": CARD,
                "concept_id": concept_id,
                "source_id": source_id,
                "position": position + place,
                "created_at": at,
            }
            for place, guid in enumerate(cards)
        ],
    )
    texts = [{"item_id": id_, **asdict(card)} for id_, card in enumerate(cards.values(), first)]
    insert_rows(connection, "card", texts)


def concepts_of_cards(connection: Connection, guids: Collection[str]) -> dict[str, str]:
    """Return, by the guid of each card, the title of the concept that it counts with."""
    return dict(rows(connection, tuple[str, str], _SQL.concepts_of_cards, guids=guids))


def subjects_of_notes(connection: Connection, numbers: Collection[int]) -> dict[int, str]:
    """Return, by the number of each note, the title of its concept or source; "" for none."""
    return dict(rows(connection, tuple[int, str], _SQL.subjects_of_notes, numbers=numbers))
