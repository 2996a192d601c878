"""A part of a model that cannot be used, graded again: what its drill's grader says of it.

The code is the learner's and passed once. What the grader finds now, or that it finds nothing, is
added to the error that names the part.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from studyattn.errors import ModelPartError, StudyattnError
from studyattn.grading.submission import Backend, Submission, own_package
from studyattn.study.practice.drill_log import find_drill

if TYPE_CHECKING:
    from studyattn.grading.grader import Grader
    from studyattn.grading.verdict import Report
    from studyattn.home import Home
    from studyattn.study.practice.mine import MyPackage

_PASSES: Final = "it passes: the problem shows only in the model"


class PartGrader:
    """Grades parts of a package again, each by its drill. `stop` may be called from any thread."""

    def __init__(self, home: Home, package: MyPackage, drills: Mapping[str, str]) -> None:
        """Nothing is started. `drills` are those of the parts, by their entries."""
        self._home = home
        self._package = package
        self._drills = drills
        self._stopped = threading.Event()
        self._grader: Grader | None = None

    def stop(self) -> None:
        """End a grading that is under way, and begin no other."""
        self._stopped.set()
        if self._grader is not None:
            self._grader.stop()

    @contextlib.contextmanager
    def diagnosing(self) -> Iterator[None]:
        """Add what grading finds to a ModelPartError that the block raises."""
        try:
            yield
        except ModelPartError as error:
            report = None if self._stopped.is_set() else self._report(error.part)
            if report is None:
                raise
            message = f"{error.message.rstrip('.')}. Graded again, {_verdict(report)}"
            raise ModelPartError(
                message, part=error.part, where=error.where, advice=error.advice
            ) from error

    def _report(self, part: str) -> Report | None:
        """Return the report on the learner's code of a part; None if it has none."""
        drill = self._drills.get(part)
        modules = {module.drill: module for module in self._package.modules}
        if drill is None or drill not in modules or modules[drill].passed_on is None:
            return None
        from studyattn.grading.grader import Grader  # late: only for what went wrong

        with contextlib.suppress(StudyattnError), Grader() as grader:
            self._grader = grader
            brief = find_drill(self._home, drill).brief
            submission = Submission(
                f"{drill}.py",
                modules[drill].code.encode(),
                Backend(self._package.backend),
                brief.entry,
                beside=tuple(own_package(self._package.files().items())),
            )
            return grader.grade(brief.folder, submission, stop=self._stopped)
        return None


def _verdict(report: Report) -> str:
    """Return what a report says, as a part of a sentence."""
    if report.passed:
        return _PASSES
    titles = " ".join(each.title for each in report.diagnosis)
    return f"it does not pass: {titles or report.message or f'the verdict is {report.verdict}.'}"
