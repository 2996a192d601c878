"""Writing a note at length: saves that nobody asks for, and versions that are still few.

Every save writes the note itself, so a process that is killed loses what was typed since the last
one and nothing else. What the note said when the sitting began, and again every ten minutes, stays
among its versions. Whoever else writes the same note meanwhile is noticed at the next save: their
text becomes a version, ours is the note.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from sqlalchemy import Connection, delete

from studyattn.errors import NotFoundError
from studyattn.store.models import NoteRow
from studyattn.study.notes.notes import (
    About,
    NoteView,
    check_text,
    insert_again,
    insert_note,
    read_note,
    title_of,
    write_note,
)
from studyattn.study.notes.text_versions import keep_wording
from studyattn.study.profile import Profile

KEEP_EVERY: Final = timedelta(minutes=10)
"""How much of a long sitting one version stands for."""


class Elsewhere(Enum):
    """What another hand did to the note since our last save."""

    CHANGED = "it was changed elsewhere: both texts are among its versions"
    REMOVED = "it was removed elsewhere: it is here again"


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save came to."""

    note: NoteView | None  # as it stands now; None while nothing was written yet
    changed: bool
    elsewhere: Elsewhere | None = None


class NoteEditSession:
    """One sitting at a note, or at one that is still to be made; it makes it at the first save."""

    def __init__(
        self, profile: Profile, number: int | None = None, about: About | None = None
    ) -> None:
        """Raises NotFoundError when there is no such note."""
        self._profile = profile
        self._about = about or About()
        self._kept_at: datetime | None = None
        self._made = number is None
        self.note: NoteView | None = None
        if number is not None:
            with profile.database.read() as connection:
                self.note = read_note(connection, number)

    def save(self, title: str, body: str) -> Saved:
        """Write this text, in one transaction. An emptied note keeps what it said.

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
        """Go on from what another hand wrote, in place of what we had."""
        self.note = note
        self._kept_at = None

    def close(self, title: str, body: str) -> Saved:
        """The last save. A note that this sitting made and that was emptied again is no note."""
        if title.strip() or body.strip() or not self._made or self.note is None:
            return self.save(title, body)
        with self._profile.database.write() as connection:
            connection.execute(delete(NoteRow).where(NoteRow.id == self.note.id))
        self.note = None
        return Saved(None, changed=True)

    def _write(self, connection: Connection, title: str, body: str, now: datetime) -> Saved:
        if self.note is None:
            self._kept_at = now  # there was nothing before
            made = insert_note(connection, title, body, self._about, now)
            return Saved(made, changed=True)
        try:
            stands = read_note(connection, self.note.id)
        except NotFoundError:
            ours = replace(self.note, title=title_of(title, body), body=body)
            again = insert_again(connection, ours, now)
            return Saved(again, changed=True, elsewhere=Elsewhere.REMOVED)
        said = (title_of(title, body), body)
        known = (self.note.title, self.note.body)
        if said == (stands.title, stands.body):
            if said != known:  # both wrote the same, so the text is not ours alone to overwrite
                self._kept_at = None
            return Saved(stands, changed=False)
        elsewhere = None
        if (stands.title, stands.body) != known:
            if said == known:  # we wrote nothing since: theirs is the later word
                return Saved(stands, changed=False, elsewhere=Elsewhere.CHANGED)
            elsewhere = Elsewhere.CHANGED
        if elsewhere or self._kept_at is None or now - self._kept_at >= KEEP_EVERY:
            keep_wording(connection, stands.guid, stands.updated_at, stands.title, stands.body)
            self._kept_at = now
        written = write_note(connection, stands.id, title, body, now)
        return Saved(written, changed=True, elsewhere=elsewhere)
