"""Grade a class from its folder to its results: what `class grade` does before it writes files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from studyattn.classroom.executors import Workers
from studyattn.classroom.hand_ins import AskedDrill, HandIns, missing
from studyattn.classroom.marking import Journal, Marked, mark
from studyattn.classroom.results import MISSING, NOT_GRADED, Result, result_of
from studyattn.classroom.score import Score
from studyattn.errors import NotFoundError
from studyattn.grading import Grader, Report, shipped_packs
from studyattn.grading.grader import DrillName
from studyattn.grading.submission import Backend
from studyattn.home import Home
from studyattn.packs.locate import installed_packs
from studyattn.packs.model import DrillBrief, Pack
from studyattn.packs.read import load_pack


@dataclass(frozen=True, slots=True)
class Assignment:
    """The drills that a class was given, with the packs that have them."""

    briefs: Mapping[str, DrillBrief]
    packs: tuple[Pack, ...]

    @property
    def asked(self) -> tuple[AskedDrill, ...]:
        return tuple(AskedDrill(each.id, each.entry) for each in self.briefs.values())

    @property
    def names(self) -> dict[str, DrillName]:
        """Return the name of each drill for a grader: its id, if it ships with the program."""
        shipped = {folder.resolve() for folder in shipped_packs()}
        return {
            drill: drill if brief.folder.parents[1].resolve() in shipped else brief.folder
            for drill, brief in self.briefs.items()
        }

    def concept_title(self, slug: str) -> str:
        """Return the title of a concept, or its slug where no pack has it."""
        found = (pack.concepts[slug].title for pack in self.packs if slug in pack.concepts)
        return next(found, slug)

    def drill_title(self, drill: str) -> str:
        """Return the title of a drill, or its id where no pack has it."""
        found = (pack.drills[drill].title for pack in self.packs if drill in pack.drills)
        return next(found, drill)


def assignment(home: Home, drills: Sequence[str]) -> Assignment:
    """Find drills in the installed packs, a class's own among them. NotFoundError for others."""
    packs = tuple(load_pack(folder) for folder in installed_packs(home))
    briefs: dict[str, DrillBrief] = {}
    for drill in drills:
        having = [pack.drills[drill] for pack in packs if drill in pack.drills]
        if not having:
            raise NotFoundError(
                f"there is no drill {drill!r}", advice="`studyattn drill list` lists them."
            )
        briefs[drill] = having[0]
    return Assignment(briefs, packs)


@dataclass(frozen=True, slots=True)
class Graded:
    """A graded class: a result for each student and drill, and the hand-ins with their reports."""

    results: tuple[Result, ...]
    marked: tuple[Marked, ...]

    @property
    def reports(self) -> dict[tuple[str, str], Report]:
        """The reports by student and drill."""
        return {
            (each.hand_in.student, each.hand_in.drill): each.report
            for each in self.marked
            if isinstance(each.report, Report)
        }


def grade_class(
    found: HandIns,
    given: Assignment,
    grader: Grader,
    workers: Workers,
    journal: Journal,
    *,
    score: Score,
    backend: Backend | None = None,
    told: Callable[[int], None] = lambda _: None,
) -> Graded:
    """Have all hand-ins graded; a student without one has the result `missing`."""
    marked = mark(found.files, given.names, grader, workers, journal, backend=backend, told=told)
    names = {each.id: each.name for each in found.students}
    results = {
        (each.hand_in.student, each.hand_in.drill): _result(each, names, score) for each in marked
    }
    for student, drill in missing(found, given.asked):
        nothing = Result(student, drill, MISSING, most=score.most, name=names.get(student, ""))
        results[student, drill] = nothing
    order = {each.id: place for place, each in enumerate(found.students)}
    drills = list(given.briefs)
    ordered = sorted(
        results.values(), key=lambda each: (order[each.student], drills.index(each.drill))
    )
    return Graded(tuple(ordered), tuple(marked))


def _result(marked: Marked, names: Mapping[str, str], score: Score) -> Result:
    hand_in, report = marked.hand_in, marked.report
    student, file = hand_in.student, hand_in.file
    name = names.get(student, "")
    if isinstance(report, Report):
        return result_of(report, score, student=student, name=name, file=file, code=marked.code)
    return Result(
        student,
        hand_in.drill,
        NOT_GRADED,
        most=score.most,
        name=name,
        file=file,
        message=report.message,
        code=marked.code,
    )


def journals(home: Home) -> Path:
    """Return the folder of the home in which interrupted runs leave their journals."""
    return home.root / "class"
