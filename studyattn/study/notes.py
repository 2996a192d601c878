"""The learner's own notes: Markdown, tied to a concept, a source, an item, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection, Select, delete, insert, select, update

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import Concept, Item, Note, Source
from studyattn.study.conceptrows import find_concept
from studyattn.study.journal import no_such_item
from studyattn.study.learner import Learner
from studyattn.study.queue import first_line
from studyattn.study.records import AnyRow
from studyattn.study.wordings import keep_wording


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note. `id` is the number that commands take."""

    id: int
    guid: str
    title: str
    body: str  # Markdown
    concept: str | None  # slug
    source: str | None  # title of the document
    item: str | None  # guid
    created_at: datetime
    updated_at: datetime


def add_note(
    learner: Learner,
    body: str,
    *,
    title: str = "",
    concept: str | None = None,
    item: str | None = None,
) -> NoteView:
    """Write a note down. Without a title its first line is one.

    Raises InputError for an empty note, NotFoundError for an unknown concept or item.
    """
    _refuse_empty(body, title)
    now = learner.clock.now()
    with learner.database.write() as connection:
        made = connection.execute(
            insert(Note).values(
                guid=uuid4().hex,
                title=_title(title, body),
                body=body,
                concept_id=None if concept is None else find_concept(connection, concept).id,
                item_id=None if item is None else _item_id(connection, item),
                created_at=now,
                updated_at=now,
            )
        ).inserted_primary_key
        return _note(connection, 0 if made is None else int(made[0]))


def edit_note(learner: Learner, number: int, body: str, *, title: str = "") -> NoteView:
    """Replace a note's text; what it said stays among its earlier wordings.

    Raises NotFoundError, or InputError for an empty text.
    """
    _refuse_empty(body, title)
    with learner.database.write() as connection:
        before = _note(connection, number)
        if (before.title, before.body) == (_title(title, body), body):
            return before
        keep_wording(connection, before.guid, before.updated_at, before.title, before.body)
        connection.execute(
            update(Note)
            .where(Note.id == number)
            .values(title=_title(title, body), body=body, updated_at=learner.clock.now())
        )
        return _note(connection, number)


def remove_note(learner: Learner, number: int) -> NoteView:
    """Remove a note and return what it was. Raises NotFoundError."""
    with learner.database.write() as connection:
        note = _note(connection, number)
        connection.execute(delete(Note).where(Note.id == number))
    return note


def show_note(learner: Learner, number: int) -> NoteView:
    """One note. Raises NotFoundError."""
    with learner.database.read() as connection:
        return _note(connection, number)


def list_notes(learner: Learner, concept: str | None = None) -> list[NoteView]:
    """Notes, the last changed first; those of one concept on request. Raises NotFoundError."""
    statement = _select().order_by(Note.updated_at.desc(), Note.id.desc())
    with learner.database.read() as connection:
        if concept is not None:
            statement = statement.where(Note.concept_id == find_concept(connection, concept).id)
        return [_view(row) for row in connection.execute(statement)]


def _select() -> Select[*tuple[object, ...]]:
    return (
        select(
            Note.id,
            Note.guid,
            Note.title,
            Note.body,
            Concept.slug,
            Source.title.label("source"),
            Item.guid.label("item"),
            Note.created_at,
            Note.updated_at,
        )
        .outerjoin(Concept, Concept.id == Note.concept_id)
        .outerjoin(Source, Source.id == Note.source_id)
        .outerjoin(Item, Item.id == Note.item_id)
    )


def _note(connection: Connection, number: int) -> NoteView:
    row = connection.execute(_select().where(Note.id == number)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no note {number}", advice="`studyattn note list` shows all of them."
        )
    return _view(row)


def _view(row: AnyRow) -> NoteView:
    return NoteView(
        id=row.id,
        guid=row.guid,
        title=row.title,
        body=row.body,
        concept=row.slug,
        source=row.source,
        item=row.item,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _item_id(connection: Connection, guid: str) -> int:
    found = connection.execute(select(Item.id).where(Item.guid == guid)).scalar_one_or_none()
    if found is None:
        raise no_such_item(guid)
    return found


def _title(title: str, body: str) -> str:
    return title.strip() or first_line(body).lstrip("# ").strip()


def _refuse_empty(body: str, title: str) -> None:
    if not body.strip() and not title.strip():
        raise InputError("the note is empty", advice="Write something, or leave it.")
