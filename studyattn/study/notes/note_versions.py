"""What a note said before: its versions, what changed since, and going back to one."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from studyattn.errors import NotFoundError
from studyattn.study.notes.notes import NoteView, edit_note, show_note
from studyattn.study.notes.text_versions import earlier_wordings
from studyattn.study.profile import Profile

CONTEXT: Final = 3  # lines shown round a change


@dataclass(frozen=True, slots=True)
class NoteVersion:
    """One version of a note. They are numbered from 1, the oldest."""

    number: int
    at: datetime | None  # since when the note said so
    title: str
    body: str
    is_current: bool

    @property
    def size(self) -> int:
        """Characters of the text."""
        return len(self.body)


def versions(profile: Profile, number: int) -> tuple[NoteVersion, ...]:
    """Every version that was kept, the note as it is first. Raises NotFoundError.

    The same text twice in a row, as two machines leave it that imported one document, is one
    version, of the earlier time.
    """
    note = show_note(profile, number)
    earlier = earlier_wordings(profile, note.guid)
    said = ((each.title, each.body, each.at) for each in earlier)
    texts = [(note.title, note.body, note.updated_at), *said]
    runs = [list(run) for _, run in groupby(texts, key=itemgetter(0, 1))]
    return tuple(
        NoteVersion(len(runs) - place, *_since(run), is_current=place == 0)
        for place, run in enumerate(runs)
    )


def _since(run: Sequence[tuple[str, str, datetime | None]]) -> tuple[datetime | None, str, str]:
    """When a text was first said, and the text; newest first come in."""
    title, body, at = run[-1]
    return at, title, body


def show_version(profile: Profile, number: int, version: int) -> NoteVersion:
    """One version of a note. Raises NotFoundError."""
    for each in versions(profile, number):
        if each.number == version:
            return each
    raise NotFoundError(
        f"note {number} has no version {version}",
        advice=f"`studyattn note versions {number}` shows all of them.",
    )


def restore_version(profile: Profile, number: int, version: int) -> NoteView:
    """Let the note say again what a version says; what it says now becomes a version itself.

    So going back to that one undoes it. Raises NotFoundError.
    """
    wanted = show_version(profile, number, version)
    return edit_note(profile, number, wanted.body, title=wanted.title)


def difference(before: NoteVersion, after: NoteVersion) -> tuple[str, ...]:
    """What `after` says otherwise, line by line: `+` what came, `-` what went, `@@` where."""
    lines = difflib.unified_diff(_lines(before), _lines(after), n=CONTEXT, lineterm="")
    return tuple(line for line in lines if not line.startswith(("--- ", "+++ ")))


def _lines(version: NoteVersion) -> Sequence[str]:
    return [f"# {version.title}", "", *version.body.split("\n")]
