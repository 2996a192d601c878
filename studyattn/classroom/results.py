"""The results of each student's drill, as plain data, and as JSON Lines that can be read again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import DocumentError, InputError
from studyattn.grading.verdict import Diagnosis, Report, Verdict

if TYPE_CHECKING:
    from studyattn.classroom.score import Score

MISSING = "missing"
"""In the place of a verdict: nothing was handed in."""

NOT_GRADED = "not graded"
"""In the place of a verdict: it could not be graded, and the message says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """One student and one drill.

    `cases` of `of` cases were answered right. `diagnosis` has the named mistakes, best first.
    `code` names equal submissions. `at` is when it was handed in, in ISO 8601, where that is known.
    """

    student: str
    drill: str
    verdict: str
    passed: bool = False
    score: float = 0.0
    most: float = 1.0
    name: str = ""
    file: str = ""
    cases: int = 0
    of: int = 0
    diagnosis: tuple[Diagnosis, ...] = ()
    message: str = ""
    line: int | None = None
    seed: int | None = None
    code: str = ""
    at: str = ""

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids of the mistakes that explain it best."""
        return self.diagnosis[0].misconceptions if self.diagnosis else ()


def result_of(
    report: Report, score: Score, *, student: str, name: str = "", file: str = "", code: str = ""
) -> Result:
    """Return what a report says of a student's submission, with its points."""
    right, of = sum(case.passed for case in report.cases), len(report.cases)
    if report.verdict is Verdict.STEP:
        right, of = report.steps_passed, len(report.steps)
    mistakes = len(report.diagnosis[0].mistakes) if report.diagnosis else 0
    points = score.of(passed=report.passed, cases=right / max(of, 1), mistakes=mistakes)
    hints = [f"line {each.line}: {each.hint}" for each in report.repair]
    return Result(
        student=student,
        drill=report.drill,
        verdict=report.verdict.value,
        passed=report.passed,
        score=points,
        most=score.most,
        name=name,
        file=file,
        cases=right,
        of=of,
        diagnosis=report.diagnosis,
        message="; ".join(filter(None, (report.message, *hints))),
        line=report.line or next((each.line for each in report.repair), None),
        seed=report.seed,
        code=code,
    )


def to_lines(results: Iterable[Result]) -> str:
    """Return JSON Lines: an object a result."""
    import msgspec

    return "".join(f"{msgspec.json.encode(each).decode()}\n" for each in results)


def read_lines(path: Path) -> tuple[Result, ...]:
    """Read what `to_lines` wrote.

    InputError when the file cannot be read, DocumentError with its line for one that is no result.
    """
    import msgspec

    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"it cannot be read ({error.strerror})", where=str(path)) from error
    results = []
    for number, line in enumerate(lines, 1):
        try:
            results.append(msgspec.json.decode(line, type=Result))
        except (ValueError, TypeError, LookupError) as error:
            raise DocumentError(
                f"this is not a class result ({error})",
                where=f"{path}:{number}",
                advice="`studyattn class grade --jsonl FILE` writes such a file.",
            ) from error
    return tuple(results)
