"""Writing a note at length: automatic saves, but few versions.

Every save writes the note itself, so a process that is killed loses only what was typed since the
last one. The text at the beginning of the session, and again every ten minutes, stays among the
note's versions. A change by another process is noticed at the next save: its text becomes a
version, ours is the note.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import Final, NamedTuple

from studyattn.errors import NotFoundError
from studyattn.store.database import Connection
from studyattn.store.queries.notes import NoteView, delete_note, keep_wording
from studyattn.study.notes.notes import (
    About,
    check_text,
    insert_again,
    insert_note,
    read_note,
    title_of,
    write_note,
)
from studyattn.study.profile import Profile

KEEP_EVERY: Final = timedelta(minutes=10)
"""The time after which a long session keeps another version."""


class Elsewhere(Enum):
    """The change that another process made to the note since our last save."""

    CHANGED = "it was changed elsewhere; both texts are kept as versions"
    REMOVED = "it was removed elsewhere; restored it"


class Saved(NamedTuple):
    """The outcome of a save."""

    note: NoteView | None  # as it is now; None while nothing was written yet
    changed: bool
    elsewhere: Elsewhere | None = None


class NoteEditSession:
    """One session of editing a note, or a new one, which the first save makes."""

    def __init__(
        self, profile: Profile, number: int | None = None, about: About | None = None
    ) -> None:
        """Raise NotFoundError if there is no such note."""
        self._profile = profile
        self._about = about or About()
        self._kept_at: datetime | None = None
        self._made = number is None
        self.note: NoteView | None = None
        if number is not None:
            with profile.database.read() as connection:
                self.note = read_note(connection, number)

    def save(self, title: str, body: str) -> Saved:
        """Write this text, in one transaction. An emptied note keeps its last text.

        Raises InputError for a text that cannot be kept.
        """
        if not title.strip() and not body.strip():
            return Saved(self.note, changed=False)
        check_text(title, body)
        now = self._profile.clock.now()
        with self._profile.database.write() as connection:
            saved = self._write(connection, title, body, now)
        if saved.changed or saved.elsewhere is None:
            self.note = saved.note
        return saved

    def adopt(self, note: NoteView) -> None:
        """Continue from the text that another process wrote, instead of ours."""
        self.note = note
        self._kept_at = None

    def close(self, title: str, body: str) -> Saved:
        """Save a last time. A note that this session made and emptied again is removed."""
        if title.strip() or body.strip() or not self._made or self.note is None:
            return self.save(title, body)
        with self._profile.database.write() as connection:
            delete_note(connection, self.note.id, self._profile.clock.now())
        self.note = None
        return Saved(None, changed=True)

    def _write(self, connection: Connection, title: str, body: str, now: datetime) -> Saved:
        if self.note is None:
            self._kept_at = now  # there was nothing before
            made = insert_note(connection, title, body, self._about, now)
            return Saved(made, changed=True)
        try:
            current = read_note(connection, self.note.id)
        except NotFoundError:
            ours = self.note._replace(title=title_of(title, body), body=body)
            again = insert_again(connection, ours, now)
            return Saved(again, changed=True, elsewhere=Elsewhere.REMOVED)
        ours_now = (title_of(title, body), body)
        known = (self.note.title, self.note.body)
        if ours_now == (current.title, current.body):
            if ours_now != known:  # both wrote the same, so the text is not ours alone to overwrite
                self._kept_at = None
            return Saved(current, changed=False)
        elsewhere = None
        if (current.title, current.body) != known:
            if ours_now == known:  # we wrote nothing since: theirs is the later text
                return Saved(current, changed=False, elsewhere=Elsewhere.CHANGED)
            elsewhere = Elsewhere.CHANGED
        if elsewhere or self._kept_at is None or now - self._kept_at >= KEEP_EVERY:
            keep_wording(connection, current.guid, current.updated_at, current.title, current.body)
            self._kept_at = now
        written = write_note(connection, current.id, title, body, now)
        return Saved(written, changed=True, elsewhere=elsewhere)
