"""What happens when a session ends: the learning note is written where the learner wants it.

Writing is the business of another room, so whoever ends the session gives the writer.
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

    A note that cannot be written hinders nothing: what was wrong is returned, to be told.
    """
    path = profile.settings.note_path.strip()
    if not path:
        return None
    try:
        write_note(profile.database, Path(path).expanduser())
    except StudyattnError as error:
        return error
    return None
