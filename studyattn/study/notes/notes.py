"""The learner's own notes: Markdown, tied to a concept, a source, an item, or nothing.

Writing at length, with saves that are not asked for, is `sitting`; what a note said before is
`noteversions`; what it links to is `notelinks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import uuid4

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import ConceptRow, ItemRow, NoteRow, SourceRow
from studyattn.study.concepts.concept_rows import find_concept
from studyattn.study.notes.text_versions import keep_wording
from studyattn.study.profile import Profile
from studyattn.study.records import AnyRow
from studyattn.study.review.queue import first_line
from studyattn.study.review.recorder import no_such_item

LONGEST_NOTE: Final = 2_000_000  # characters; more is a document, to be imported
LONGEST_TITLE: Final = 200
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class NoteView:
    """One note. `id` is the number that commands take."""

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


@dataclass(frozen=True, slots=True)
class About:
    """What a new note is tied to: at most one of them is usual."""

    concept: str | None = None  # slug
    source: str | None = None  # guid
    item: str | None = None  # guid


def add_note(
    profile: Profile,
    body: str,
    *,
    title: str = "",
    concept: str | None = None,
    source: str | None = None,
    item: str | None = None,
) -> NoteView:
    """Write a note down. Without a title its first line is one.

    Raises InputError for a note that cannot be kept (`check_text`), NotFoundError for an unknown
    concept, source or item.
    """
    check_text(title, body)
    with profile.database.write() as connection:
        about = About(concept, source, item)
        return insert_note(connection, title, body, about, profile.clock.now())


def edit_note(profile: Profile, number: int, body: str, *, title: str | None = None) -> NoteView:
    """Replace a note's text; what it said stays among its versions.

    Without a `title` the note keeps one of its own, and one that was its first line follows it.
    Raises NotFoundError, or InputError for a text that cannot be kept.
    """
    check_text(title or "", body)
    with profile.database.write() as connection:
        before = read_note(connection, number)
        title = own_title(before) if title is None else title
        if (before.title, before.body) == (title_of(title, body), body):
            return before
        keep_wording(connection, before.guid, before.updated_at, before.title, before.body)
        return write_note(connection, number, title, body, profile.clock.now())


def set_about(profile: Profile, number: int, about: About) -> NoteView:
    """Tie a note to something else. Raises NotFoundError for the note or what it shall be about."""
    with profile.database.write() as connection:
        read_note(connection, number)
        connection.execute(
            update(NoteRow).where(NoteRow.id == number).values(**_ties(connection, about))
        )
        return read_note(connection, number)


def remove_note(profile: Profile, number: int) -> NoteView:
    """Remove a note and return what it was. Raises NotFoundError."""
    with profile.database.write() as connection:
        note = read_note(connection, number)
        connection.execute(delete(NoteRow).where(NoteRow.id == number))
    return note


def put_back(profile: Profile, note: NoteView) -> NoteView:
    """A removed note as it was, under its old guid and with its versions; a new number if need be.

    Raises NotFoundError when what it was about is gone.
    """
    with profile.database.write() as connection:
        taken = connection.execute(select(NoteRow.id).where(NoteRow.id == note.id)).one_or_none()
        number = note.id if taken is None else None
        return insert_again(connection, note, note.updated_at, number=number)


def show_note(profile: Profile, number: int) -> NoteView:
    """One note. Raises NotFoundError."""
    with profile.database.read() as connection:
        return read_note(connection, number)


def list_notes(
    profile: Profile, concept: str | None = None, *, limit: int | None = None
) -> list[NoteView]:
    """Notes, the last changed first; those of one concept on request. Raises NotFoundError."""
    statement = _select().order_by(NoteRow.updated_at.desc(), NoteRow.id.desc()).limit(limit)
    with profile.database.read() as connection:
        if concept is not None:
            statement = statement.where(NoteRow.concept_id == find_concept(connection, concept).id)
        return [_view(row) for row in connection.execute(statement)]


def count_notes(profile: Profile) -> int:
    """How many notes there are."""
    with profile.database.read() as connection:
        return connection.execute(select(func.count(NoteRow.id))).scalar_one()


def check_text(title: str, body: str) -> None:
    """Raise InputError for a text that no note may have: empty, too long, or not storable."""
    if not body.strip() and not title.strip():
        raise InputError("the note is empty", advice="Write something, or leave it.")
    if len(body) > LONGEST_NOTE:
        raise InputError(
            f"the note has {len(body):,} characters, and {LONGEST_NOTE:,} is the most",
            advice="Import it as a document instead.",
        )
    unstorable = _UNSTORABLE.search(f"{title}\n{body}")
    if unstorable is not None:
        line = f"{title}\n{body}".count("\n", 0, unstorable.start())
        raise InputError(
            f"the note has a character that is no text (U+{ord(unstorable[0]):04X})",
            where=f"line {line}" if line else "title",
            advice="Take it out; nothing was saved.",
        )


def title_of(title: str, body: str) -> str:
    """The title that is kept: the given one, or else the first line, on one line of some length."""
    words = " ".join(title.split()) or " ".join(first_line(body).lstrip("# ").split())
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1] + "…"


def own_title(note: NoteView) -> str:
    """The note's title if it is another than its first line, else nothing."""
    return "" if note.title == title_of("", note.body) else note.title


# Within a transaction of the caller's.


def read_note(connection: Connection, number: int) -> NoteView:
    """The note as it is now. Raises NotFoundError."""
    row = connection.execute(_select().where(NoteRow.id == number)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no note {number}", advice="`studyattn note list` shows all of them."
        )
    return _view(row)


def insert_note(
    connection: Connection,
    title: str,
    body: str,
    about: About,
    at: datetime,
) -> NoteView:
    """A new note. Raises NotFoundError for what it is about."""
    return _insert(connection, title, body, about, guid=uuid4().hex, created_at=at, updated_at=at)


def insert_again(
    connection: Connection, note: NoteView, at: datetime, *, number: int | None = None
) -> NoteView:
    """A note that was removed. Raises NotFoundError when what it is about is gone."""
    about = About(note.concept, note.source_guid, note.item)
    values = {} if number is None else {"id": number}
    created = {"guid": note.guid, "created_at": note.created_at, "updated_at": at}
    return _insert(connection, note.title, note.body, about, **created, **values)


def _insert(
    connection: Connection, title: str, body: str, about: About, **values: object
) -> NoteView:
    made = connection.execute(
        insert(NoteRow).values(
            title=title_of(title, body),
            body=body,
            **_ties(connection, about),
            **values,
        )
    ).inserted_primary_key
    return read_note(connection, 0 if made is None else int(made[0]))


def _ties(connection: Connection, about: About) -> dict[str, object]:
    return {
        "concept_id": about.concept and find_concept(connection, about.concept).id,
        "source_id": about.source and find_source(connection, about.source).id,
        "item_id": about.item and _item_id(connection, about.item),
    }


def write_note(
    connection: Connection, number: int, title: str, body: str, at: datetime
) -> NoteView:
    """Give a note this text, whatever it says now; keeping that is the caller's."""
    connection.execute(
        update(NoteRow)
        .where(NoteRow.id == number)
        .values(title=title_of(title, body), body=body, updated_at=at)
    )
    return read_note(connection, number)


def find_source(connection: Connection, name: str) -> AnyRow:
    """The source of this guid or, if there is but one, of this title. Raises NotFoundError."""
    columns = (SourceRow.id, SourceRow.guid, SourceRow.title)
    for condition in (SourceRow.guid == name, SourceRow.title == name):
        found = connection.execute(select(*columns).where(condition)).all()
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(
                f"{len(found)} sources are called {name!r}",
                advice="Name the guid: `studyattn search --kind source` shows it.",
            )
    any_there = connection.scalar(select(SourceRow.id).limit(1)) is not None
    finds = "`studyattn search --kind source` finds them."
    raise NotFoundError(
        f"there is no source {name!r}",
        advice=finds if any_there else "Nothing was imported yet.",
    )


def _select() -> Select[*tuple[object, ...]]:
    return (
        select(
            NoteRow.id,
            NoteRow.guid,
            NoteRow.title,
            NoteRow.body,
            ConceptRow.slug,
            SourceRow.title.label("source"),
            SourceRow.guid.label("source_guid"),
            ItemRow.guid.label("item"),
            NoteRow.created_at,
            NoteRow.updated_at,
        )
        .outerjoin(ConceptRow, ConceptRow.id == NoteRow.concept_id)
        .outerjoin(SourceRow, SourceRow.id == NoteRow.source_id)
        .outerjoin(ItemRow, ItemRow.id == NoteRow.item_id)
    )


def _view(row: AnyRow) -> NoteView:
    return NoteView(
        id=row.id,
        guid=row.guid,
        title=row.title,
        body=row.body,
        concept=row.slug,
        source=row.source,
        source_guid=row.source_guid,
        item=row.item,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _item_id(connection: Connection, guid: str) -> int:
    found = connection.execute(select(ItemRow.id).where(ItemRow.guid == guid)).scalar_one_or_none()
    if found is None:
        raise no_such_item(guid)
    return found
