"""A review session at one moment, read in one turn of the database's thread.

The functions here run in that thread; the review screen draws what they return.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from studyattn.errors import StudyattnError
from studyattn.exchange.learning_note.autosave import autosave_note
from studyattn.home import Home
from studyattn.memory.state import Remembered
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.study.after_session import after_session
from studyattn.study.lessons import Lesson
from studyattn.study.profile import Profile
from studyattn.study.review.session import ReviewSession
from studyattn.study.review.views import Progress, RatingChoice, RenderedCard, Summary


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """The item that a session asks now, or its ending."""

    shown: RenderedCard | None
    choices: tuple[RatingChoice, ...]
    progress: Progress
    next_due: datetime | None
    summary: Summary | None
    lesson: Lesson | None = None
    """The lesson with a page to read before anything is asked."""


def read_session(session: ReviewSession, home: Home) -> SessionSnapshot:
    """Read a session. A drill has its brief as its front, where a pack still has the brief."""
    shown = session.current
    if shown is not None and shown.drill_id is not None:
        for folder in installed_packs(home):
            path = folder / "drills" / shown.drill_id / "brief.md"
            if folder.name == shown.pack and path.is_file():
                brief, _ = read_brief(path.read_text(encoding="utf-8"), path)
                if isinstance(shown.memory, Remembered):
                    brief = brief.with_formula_as_hint()
                shown = replace(shown, front=f"## {brief.title}\n\n{brief.text}")
                break
    return SessionSnapshot(
        shown=shown,
        choices=session.choices() if shown else (),
        progress=session.progress,
        next_due=session.next_due,
        summary=None if shown or session.lesson else session.summary(),
        lesson=session.lesson,
    )


def finish_session(profile: Profile) -> StudyattnError | None:
    """Write the learning note where the setting asks for it. Return why it could not be written."""
    return after_session(profile, autosave_note)
