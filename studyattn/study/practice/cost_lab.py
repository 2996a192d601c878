"""The cost lab: the implementations of a drill that are measured side by side.

The learner's file, the solution, and the contrasts that the drill names, all in one backend. What a
measurement is belongs to `grading.cost.lab`; nothing here is recorded.
"""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path
from typing import NamedTuple

from studyattn.errors import NotFoundError, PackError
from studyattn.grading.backend_choice import choose
from studyattn.grading.cost.lab import Subject
from studyattn.grading.cost.measurements import Role
from studyattn.grading.drill import Drill, Growth
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.grader import Grader
from studyattn.grading.submission import Backend, Submission, files_beside
from studyattn.grading.verdict import Report
from studyattn.home import Home
from studyattn.packs.briefs import read_brief
from studyattn.packs.model import DrillBrief
from studyattn.study.practice.drills import checked_backend, find_drill


class CostLab(NamedTuple):
    """The implementations to be measured for one drill."""

    drill: Drill
    brief: DrillBrief
    counts: str
    """The unit of n, in the plural: tokens."""
    backend: Backend
    yours: Subject | None
    others: tuple[Subject, ...]
    """The solution, then its contrasts."""

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All implementations, the learner's first."""
        return self.others if self.yours is None else (self.yours, *self.others)

    def grade_yours(self, grader: Grader, stop: threading.Event) -> Report | None:
        """Return the report on the learner's file whatever it costs; None where there is none.

        That it costs too much is best seen by measuring it. Raises what `Grader.grade` does.
        """
        if self.yours is None:
            return None
        unlimited = dataclasses.replace(self.drill, limit=None)
        return grader.grade(unlimited, self.yours.submission, stop=stop)


def cost_lab(
    home: Home, identifier: str, file: Path | None = None, backend: str | None = None
) -> CostLab:
    """Return the cost lab of a drill, with `file` or else the learner's own if there is one.

    The backend is that given, or that of the file, or the drill's first. Raises NotFoundError for a
    file or a drill that is not there, or a drill that does not say how it grows.
    """
    brief = find_drill(home, identifier).brief
    drill, growth = _growing(brief.folder)
    path = file or home.drills / f"{identifier}.py"
    source = _source(path, needed=file is not None)
    beside = () if source is None else files_beside(path, source)
    if backend is None and source is not None:
        backend = choose(brief.id, source, brief.entry, brief.backends, beside=beside).backend
    chosen = Backend(checked_backend(brief, backend))

    def subject(title: str, role: Role, of: Path, submission: Submission) -> Subject:
        return Subject(title, role, *_growing(of), submission, growth.at)

    others = [subject("solution", Role.SOLUTION, brief.folder, _solution(brief, chosen))]
    for contrast in growth.contrasts:
        if contrast.drill is None:
            submission = _submission(brief, brief.contrast(chosen), chosen)
            others.append(subject(contrast.title, Role.CONTRAST, brief.folder, submission))
        else:
            other = _brief_beside(brief, contrast.drill)
            submission = _solution(other, chosen)
            others.append(subject(contrast.title, Role.CONTRAST, other.folder, submission))
    yours = None
    if source is not None:
        submission = Submission(str(path), source, chosen, brief.entry, beside=beside)
        yours = Subject("yours", Role.YOURS, drill, growth, submission, growth.at)
    return CostLab(drill, brief, growth.counts, chosen, yours, tuple(others))


def _growing(folder: Path) -> tuple[Drill, Growth]:
    drill = load_drill(folder)
    if drill.growth is None:
        every = drill_folders(folder.parent.parent)
        growing = [each.name for each in every if load_drill(each).growth is not None]
        raise NotFoundError(
            f"no cost plot for the drill {drill.id!r}",
            advice=f"Drills with a cost plot: {', '.join(growing)}.",
        )
    return drill, drill.growth


def _source(path: Path, *, needed: bool) -> bytes | None:
    """Return the bytes of the file; None if there is none and none is needed."""
    try:
        return path.read_bytes()
    except OSError as error:
        if not needed:
            return None
        raise NotFoundError(f"it cannot be read ({error.strerror})", where=str(path)) from error


def _brief_beside(brief: DrillBrief, identifier: str) -> DrillBrief:
    """Return the brief of another drill of the same pack."""
    file = brief.folder.parent / identifier / "brief.md"
    try:
        found, _ = read_brief(file.read_text("utf-8"), file)
    except OSError as error:
        raise PackError(f"cannot be read: {error.strerror}", where=str(file)) from error
    return found


def _solution(brief: DrillBrief, backend: Backend) -> Submission:
    return _submission(brief, brief.solution(backend), backend)


def _submission(brief: DrillBrief, path: Path, backend: Backend) -> Submission:
    """Read a file of the pack. Raises PackError if it cannot be read."""
    try:
        return Submission.read(path, brief.entry, backend=backend)
    except OSError as error:
        raise PackError(f"cannot be read: {error.strerror}", where=str(path)) from error
