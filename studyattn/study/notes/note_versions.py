"""Earlier texts of a note: its versions, the differences between them, and going back to one."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from studyattn.errors import NotFoundError
from studyattn.store.queries.notes import EarlierWording, NoteView, earlier_wordings
from studyattn.study.notes.notes import edit_note, read_note
from studyattn.study.profile import Profile

CONTEXT: Final = 3  # lines shown round a change


@dataclass(frozen=True, slots=True)
class NoteVersion:
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
    lines = difflib.unified_diff(_lines(before), _lines(after), n=CONTEXT, lineterm="")
    return tuple(line for line in lines if not line.startswith(("--- ", "+++ ")))


def _lines(version: NoteVersion) -> Sequence[str]:
    return [f"# {version.title}", "", *version.body.split("\n")]
