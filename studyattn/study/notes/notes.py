"""The learner's own notes: Markdown, tied to a concept, a source, an item, or nothing.

Earlier texts of a note are its versions; writing at length is in `edit_session`, and the links of
notes in `note_links`. The documents that a learner imported are listed and read here too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import uuid4

from studyattn.errors import InputError, NotFoundError
from studyattn.store.database import Connection
from studyattn.store.queries import notes as queries
from studyattn.store.queries.concepts import find_concept
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.notes import (
    EarlierWording,
    NoteTies,
    NoteView,
    earlier_wordings,
    keep_wording,
)
from studyattn.store.queries.sources import (
    SourceHead,
    SourceText,
    all_sources,
    has_sources,
    source_text,
    sources_named,
)
from studyattn.study.profile import Profile
from studyattn.text.characters import first_line

CONTEXT: Final = 3  # lines shown round a change


class NoteVersion(NamedTuple):
    """One version of a note. They are numbered from 1, the oldest."""

    number: int
    at: datetime | None  # since when the note had this text
    title: str
    body: str
    is_current: bool

    @property
    def size(self) -> int:
        """Characters of the text."""
        return len(self.body)


def versions(profile: Profile, number: int) -> tuple[NoteVersion, ...]:
    """Return every version that was kept, the note as it is first. Raises NotFoundError.

    The same text twice in a row, as two machines leave it that imported one document, is one
    version, of the earlier time.
    """
    with profile.database.read() as connection:
        note = read_note(connection, number)
        earlier = earlier_wordings(connection, note.guid)
    texts = [
        EarlierWording(note.updated_at, note.title, note.body),
        *earlier,
    ]
    runs = [list(run) for _, run in groupby(texts, key=attrgetter("title", "body"))]
    return tuple(
        NoteVersion(len(runs) - place, run[-1].at, run[-1].title, run[-1].body, place == 0)
        for place, run in enumerate(runs)
    )


def show_version(profile: Profile, number: int, version: int) -> NoteVersion:
    """Return one version of a note. Raises NotFoundError."""
    for each in versions(profile, number):
        if each.number == version:
            return each
    raise NotFoundError(
        f"note {number} has no version {version}",
        advice=f"`studyattn note versions {number}` lists them.",
    )


def restore_version(profile: Profile, number: int, version: int) -> NoteView:
    """Give the note the text of a version; its present text becomes a version itself.

    Restoring that one undoes it. Raises NotFoundError.
    """
    wanted = show_version(profile, number, version)
    return edit_note(profile, number, wanted.body, title=wanted.title)


def difference(before: NoteVersion, after: NoteVersion) -> tuple[str, ...]:
    """Return the changes from `before` to `after`: lines with `+` and `-`, `@@` for the place."""
    from difflib import unified_diff  # late, as all below: the commands of every day do without

    lines = unified_diff(_lines(before), _lines(after), n=CONTEXT, lineterm="")
    return tuple(line for line in lines if not line.startswith(("--- ", "+++ ")))


def _lines(version: NoteVersion) -> Sequence[str]:
    return [f"# {version.title}", "", *version.body.split("\n")]


_SEARCH = "`studyattn search --kind source` lists them."


def list_sources(profile: Profile) -> list[SourceHead]:
    """Return every document, the last imported first."""
    with profile.database.read() as connection:
        return all_sources(connection)


def show_source(profile: Profile, guid: str) -> SourceText:
    """Return one document with its text. Raises NotFoundError.

    What the errata contradict in it is followed by its correction.
    """
    with profile.database.read() as connection:
        source = source_text(connection, guid)
    if source is None:
        raise NotFoundError(f"there is no source {guid!r}", advice=_SEARCH)
    # Late: lists of notes do without them.
    from studyattn.packs.corrections import with_corrections
    from studyattn.packs.errata import installed_errata

    errata = installed_errata(profile.home)
    return source._replace(text=with_corrections(source.text, errata))


def find_source(connection: Connection, name: str) -> SourceHead:
    """Return the source with this guid or, if only one has it, this title.

    Raises NotFoundError, or InputError if several sources have the title.
    """
    found = sources_named(connection, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            f"{len(found)} sources are called {name!r}",
            advice="Name the guid: `studyattn search --kind source` shows it.",
        )
    raise NotFoundError(
        f"there is no source {name!r}",
        advice=_SEARCH if has_sources(connection) else "Nothing was imported yet.",
    )


LONGEST_NOTE: Final = 2_000_000  # characters; more is a document, to be imported
LONGEST_TITLE: Final = 200
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class About(NamedTuple):
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
    decide(connection, "note", note.guid, "removed", False, at)
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
            from studyattn.study.review.recorder import no_such_item

            raise no_such_item(about.item)
    return NoteTies(
        concept_id=find_concept(connection, about.concept).id if about.concept else None,
        source_id=find_source(connection, about.source).id if about.source else None,
        item_id=item_id,
    )
