"""The learner's own notes: Markdown, tied to a concept, a source, an item, or nothing.

Writing at length, with automatic saves, is in `edit_session`; earlier texts of a note are in
`note_versions`, and its links in `note_links`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import uuid4

from studyattn.errors import InputError, NotFoundError
from studyattn.store.database import Connection
from studyattn.store.queries import notes as queries
from studyattn.store.queries.concepts import find_concept
from studyattn.store.queries.notes import NoteTies, NoteView, keep_wording
from studyattn.study.notes.sources import find_source
from studyattn.study.profile import Profile
from studyattn.study.review.queue import first_line
from studyattn.study.review.recorder import no_such_item

LONGEST_NOTE: Final = 2_000_000  # characters; more is a document, to be imported
LONGEST_TITLE: Final = 200
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class About:
    """The things that a new note is tied to: usually at most one."""

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
    """Add a note. Without a title its first line is one.

    Raises InputError for a note that cannot be kept (`check_text`), NotFoundError for an unknown
    concept, source or item.
    """
    check_text(title, body)
    with profile.database.write() as connection:
        about = About(concept, source, item)
        return insert_note(connection, title, body, about, profile.clock.now())


def edit_note(profile: Profile, number: int, body: str, *, title: str | None = None) -> NoteView:
    """Replace a note's text; the earlier text stays among its versions.

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
        queries.tie_note(connection, number, _ties(connection, about), profile.clock.now())
        return read_note(connection, number)


def remove_note(profile: Profile, number: int) -> NoteView:
    """Remove a note and return what it was. Raises NotFoundError."""
    with profile.database.write() as connection:
        note = read_note(connection, number)
        queries.delete_note(connection, number, profile.clock.now())
    return note


def put_back(profile: Profile, note: NoteView) -> NoteView:
    """Restore a removed note under its old guid and, unless it was given away, its old number.

    Its versions come back with it. Raises NotFoundError if what it was about is gone.
    """
    with profile.database.write() as connection:
        number = note.id if queries.read_note(connection, note.id) is None else None
        now = profile.clock.now()
        return insert_again(connection, note, now, updated_at=note.updated_at, number=number)


def show_note(profile: Profile, number: int) -> NoteView:
    """Return one note. Raises NotFoundError."""
    with profile.database.read() as connection:
        return read_note(connection, number)


def list_notes(
    profile: Profile, concept: str | None = None, *, limit: int | None = None
) -> list[NoteView]:
    """Return notes, the last changed first; of one concept on request. Raises NotFoundError."""
    with profile.database.read() as connection:
        concept_id = None if concept is None else find_concept(connection, concept).id
        return queries.list_notes(connection, concept_id, limit)


def count_notes(profile: Profile) -> int:
    """Return the number of notes."""
    with profile.database.read() as connection:
        return queries.count_notes(connection)


def check_text(title: str, body: str) -> None:
    """Raise InputError for a text that no note may have: empty, too long, or not storable."""
    if not body.strip() and not title.strip():
        raise InputError("the note is empty", advice="Write something, or cancel.")
    if len(body) > LONGEST_NOTE:
        raise InputError(
            f"the note has {len(body):,} characters; the limit is {LONGEST_NOTE:,}",
            advice="Import it as a document instead.",
        )
    unstorable = _UNSTORABLE.search(f"{title}\n{body}")
    if unstorable is not None:
        line = f"{title}\n{body}".count("\n", 0, unstorable.start())
        raise InputError(
            f"the note has an invalid character (U+{ord(unstorable[0]):04X})",
            where=f"line {line}" if line else "title",
            advice="Remove it. Nothing was saved.",
        )


def title_of(title: str, body: str) -> str:
    """Return the given title or else the first line, on one line, cut at LONGEST_TITLE."""
    words = " ".join(title.split()) or " ".join(first_line(body).lstrip("# ").split())
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1] + "…"


def own_title(note: NoteView) -> str:
    """Return the note's title if it differs from its first line, else ""."""
    return "" if note.title == title_of("", note.body) else note.title


# Within a transaction of the caller's.


def read_note(connection: Connection, number: int) -> NoteView:
    """Return the note as it is now. Raises NotFoundError."""
    note = queries.read_note(connection, number)
    if note is None:
        raise NotFoundError(
            f"there is no note {number}", advice="`studyattn note list` lists them."
        )
    return note


def insert_note(
    connection: Connection, title: str, body: str, about: About, at: datetime
) -> NoteView:
    """Add a note. Raises NotFoundError for what it is about."""
    number = queries.insert_note(
        connection,
        guid=uuid4().hex,
        title=title_of(title, body),
        body=body,
        ties=_ties(connection, about),
        created_at=at,
        updated_at=at,
    )
    return read_note(connection, number)


def insert_again(
    connection: Connection,
    note: NoteView,
    at: datetime,
    *,
    updated_at: datetime | None = None,
    number: int | None = None,
) -> NoteView:
    """Add a note that was removed; its text is of `updated_at`, or new.

    Raises NotFoundError if what it is about is gone.
    """
    queries.bring_back_note(connection, note.guid, at)
    number = queries.insert_note(
        connection,
        guid=note.guid,
        title=title_of(note.title, note.body),
        body=note.body,
        ties=_ties(connection, About(note.concept, note.source_guid, note.item)),
        created_at=note.created_at,
        updated_at=updated_at or at,
        number=number,
    )
    return read_note(connection, number)


def write_note(
    connection: Connection, number: int, title: str, body: str, at: datetime
) -> NoteView:
    """Replace a note's text; the caller keeps the earlier one."""
    queries.update_note(connection, number, title_of(title, body), body, at)
    return read_note(connection, number)


def _ties(connection: Connection, about: About) -> NoteTies:
    item_id = None
    if about.item:
        item_id = queries.item_number(connection, about.item)
        if item_id is None:
            raise no_such_item(about.item)
    return NoteTies(
        concept_id=find_concept(connection, about.concept).id if about.concept else None,
        source_id=find_source(connection, about.source).id if about.source else None,
        item_id=item_id,
    )
