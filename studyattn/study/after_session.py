"""The end of a session: the learning note is written where the learner wants it.

Writing belongs to `exchange`, which this room does not import, so the caller brings the writer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from studyattn.errors import StudyattnError
from studyattn.store.database import Database
from studyattn.study.profile import Profile

NoteWriter = Callable[[Database, Path], object]
"""Writes the learning note of a database to a file."""


def after_session(profile: Profile, write_note: NoteWriter) -> StudyattnError | None:
    """Write the learning note to the path of the setting `note_path`, if there is one.

    A note that cannot be written hinders nothing: the error is returned, to be shown.
    """
    path = profile.settings.note_path.strip()
    if not path:
        return None
    try:
        write_note(profile.database, Path(path).expanduser())
    except StudyattnError as error:
        return error
    return None
