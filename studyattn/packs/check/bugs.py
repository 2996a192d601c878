"""Check that each bug is the one it says it is, and that a learner can find it by reading.

The drill's judge rejects the program and tells that very misconception; the output is another one
than the right code prints at the same lines; program, output and answer fit on a small terminal,
also with each of the bug's other sizes.
That the program prints what the card says is checked with the other examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from studyattn.errors import PackError
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.grader import Grader
from studyattn.grading.run.script import ScriptRunner
from studyattn.grading.submission import Backend, Submission
from studyattn.packs.bug_drawing import draw, without
from studyattn.packs.check.drills import SEED
from studyattn.packs.check.finding import Finding
from studyattn.packs.check.wording import WIDTH, text_height
from studyattn.packs.examples import difference
from studyattn.packs.model import Bug, DrillBrief, Pack, SourceLocation, bug_text
from studyattn.text.render import CODE_INDENT

PROGRAM_LINES: Final = 14
GIVEN_WIDTH: Final = 76
"""The program is shown on the screen of the run alone, which is as wide as the terminal."""

FRONT_LINES: Final = 18
"""Lines of question, program and output: all of a terminal of 24, beside the screen's own."""

ANSWER_LINES: Final = 13
"""Lines of the answer, below a rule and the end of the output."""


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part. Raises GradingError when the sandbox cannot be had."""
    for bug in pack.bugs.values():
        yield from _sizes(bug)
        for reviews in range(1, len(bug.sizes) + 1 if bug.drill in pack.drills else 0):
            guid = f"{pack.id}:bug/{bug.misconception}"
            yield from _sizes(draw(bug, pack.folder, guid, reviews))
    with Grader() as grader, ScriptRunner() as scripts:
        # Those of one drill come one after another: they are asked the same questions.
        for bug in sorted(pack.bugs.values(), key=lambda bug: bug.drill):
            brief = pack.drills.get(bug.drill)
            if brief is None:
                continue  # told with the names that lead nowhere
            try:
                drill = load_drill(brief.folder)
            except PackError:
                continue  # told with the drills
            findings = list(_names(bug, drill, pack.path))
            yield from findings
            if not findings:
                yield from _judged(bug, drill, grader)
                yield from _shows(bug, brief, scripts)


def _sizes(bug: Bug) -> Iterator[Finding]:
    program = bug.program.splitlines()
    if len(program) > PROGRAM_LINES:
        yield Finding(
            bug.begins, f"a program of {len(program)} lines, but only {PROGRAM_LINES} fit"
        )
    room = WIDTH - CODE_INDENT
    if any(len(line) > room for line in [*program, *bug.output.splitlines()]):
        yield Finding(bug.begins, f"a line of more than {room} columns")
    if any(len(line) > GIVEN_WIDTH for line in bug.source.splitlines()):
        yield Finding(bug.begins, f"a given line of more than {GIVEN_WIDTH} columns")
    for what, text, most in (
        ("question, program and output take", bug_text(bug).front, FRONT_LINES),
        ("the answer takes", bug.answer, ANSWER_LINES),
    ):
        height = text_height(text)
        if height > most:
            yield Finding(
                bug.place, f"{what} {height} lines at {WIDTH} columns, but only {most} fit"
            )


def _names(bug: Bug, drill: Drill, path: tuple[str, ...]) -> Iterator[Finding]:
    """The misconception is one of the drill, and the bug comes at its concept or later."""
    known = {each.id: each for each in drill.misconceptions}
    mistake = known.get(bug.misconception)
    if mistake is None:
        yield Finding(
            bug.place, f"the drill {drill.id!r} has no misconception {bug.misconception!r}"
        )
    elif bug.concept not in path[path.index(mistake.concept) if mistake.concept in path else 0 :]:
        yield Finding(
            bug.place,
            f"{bug.misconception!r} belongs to the concept {mistake.concept!r}, "
            f"but the bug comes before it, at {bug.concept!r}",
        )


def _judged(bug: Bug, drill: Drill, grader: Grader) -> Iterator[Finding]:
    source = bug.source.encode()
    submission = Submission(f"{bug.misconception}.py", source, Backend.NUMPY, drill.entries)
    report = grader.grade(drill, submission, seed=SEED)
    if report.passed:
        yield Finding(bug.begins, f"{drill.id} lets this program pass")
        return
    found = report.diagnosis[0].misconceptions if report.diagnosis else ()
    if found != (bug.misconception,):
        names = " and ".join(found) or report.message or "no named mistake"
        yield Finding(bug.begins, f"{drill.id} finds {names} in it, {report.verdict.value}")


def _shows(bug: Bug, brief: DrillBrief, scripts: ScriptRunner) -> Iterator[Finding]:
    """The solution, asked by the program's own lines, prints something else."""
    solution = brief.solution(Backend.NUMPY).read_text("utf-8")
    try:
        asked = without(bug.source, brief.entry)
    except SyntaxError as error:
        line = bug.begins.line + (error.lineno or 0)
        yield Finding(SourceLocation(bug.begins.file, line), f"no Python: {error.msg}")
        return
    result = scripts.run(f"{solution}\n{asked}\n")
    if result.error:
        yield Finding(bug.begins, f"the solution cannot run its lines: {result.error}")
    elif not difference(bug.output, result.stdout):
        yield Finding(
            bug.begins, "the solution prints the same, so the output does not show the bug"
        )
