"""A drill checked by itself: starter fails, solutions pass, every misconception is found as itself.

Four kinds of submissions are tried. Mutants are the reference with a mistake among its steps, run
here; a sample of files runs in real workers: starter, solutions, and a corpus of whole submissions
in many styles. Probes fail under one condition alone, and are tried on the questions (`probes`).
What is counted is what may be published of the grader.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from studyattn.errors import DrillError
from studyattn.grading.backend_choice import choose
from studyattn.grading.batch import end_with_parent
from studyattn.grading.call_plan import (
    ArrayOutput,
    CallPlan,
    Finished,
    Outcome,
    Raised,
    Returned,
)
from studyattn.grading.corpus import unpacked
from studyattn.grading.domain import FLOATS
from studyattn.grading.drill import NO_CHANGE, Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import Depth, Drawn, Executor, draw, grade, mended, reports
from studyattn.grading.misconception import Change, Mistake, Way, change_of, singles
from studyattn.grading.oracle import Failed, narrowed, try_out
from studyattn.grading.probes import holes
from studyattn.grading.run.runner import Runner
from studyattn.grading.steps import in_folder, up_to
from studyattn.grading.submission import Backend, Submission, files_beside
from studyattn.grading.tolerance import rounded
from studyattn.grading.verdict import Report, Verdict

AT_ONCE = 2
"""Processes that grade side by side, each with warm servers of its own."""

LABEL = re.compile(r"^# mistake:\s*(.+)$", re.MULTILINE)
NO_NAME = "none"
"""The label of a submission that is wrong in a way that no misconception names."""


NAMED = 0.97
"""The share of single mistakes that must be named as themselves, and first."""

NAMED_IN_PAIRS = 0.85
"""The share of pairs of mistakes of which both must be named."""

UNNAMED = 0.1
"""The share of rejected submissions that may be told no mistake, no fact and no change."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count out of a total."""

    right: int = 0
    tried: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.right + other.right, self.tried + other.tried)

    def __str__(self) -> str:
        return f"{self.right}/{self.tried}"


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts over some submissions, and those that differ from their label.

    `problems` break the promise: wrong and accepted, right and refused. `misnamed` are rejected as
    they must be, and told of another mistake than their own. Of the corpus, `without_mistake` were
    rejected without a mistake that explains them; `unnamed` without a fact that was observed of
    their answers either, nor the error that ended them, nor a change that makes them right.
    """

    rejected: Count = Count()
    accepted: Count = Count()
    singles: Count = Count()
    pairs: Count = Count()
    probes: Count = Count()
    without_mistake: Count = Count()
    unnamed: Count = Count()
    problems: tuple[str, ...] = ()
    misnamed: tuple[str, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        names = (each.name for each in fields(self))
        return Tally(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def good(self) -> bool:
        """Nothing wrong accepted, nothing right refused, mistakes named as often as promised."""
        return (
            self.rejected.right == self.rejected.tried
            and self.accepted.right == self.accepted.tried
            and self.probes.right == self.probes.tried
            and self.named_as_promised
        )

    @property
    def named_as_promised(self) -> bool:
        """True when mistakes are named often enough, and few submissions are told nothing."""
        return (
            self.singles.right >= NAMED * self.singles.tried
            and self.pairs.right >= NAMED_IN_PAIRS * self.pairs.tried
            and self.unnamed.right <= UNNAMED * self.unnamed.tried
        )

    def __str__(self) -> str:
        probes = f", probes caught {self.probes}" if self.probes.tried else ""
        unnamed = (
            f", unnamed {self.unnamed}, without a mistake {self.without_mistake}"
            if self.unnamed.tried
            else ""
        )
        return (
            f"wrong rejected {self.rejected}, right accepted {self.accepted}, "
            f"single mistakes named first {self.singles}, pairs {self.pairs}{probes}{unnamed}"
        )


class ReferenceCarrier:
    """Carry out programs on the reference with this change, here, as a worker would."""

    device = "cpu"
    isolation: tuple[str, ...] = ()

    def __init__(self, drill: Drill, change: Way = NO_CHANGE) -> None:
        self._drill = drill
        self._change = change

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        """Return what a faultless worker would answer for a submission with this change."""
        functions = self._drill.functions(change_of(self._change))
        return tuple(_outcome(submission.backend, program, functions) for program in programs)


def _outcome(
    backend: Backend, program: CallPlan, functions: Mapping[str, Callable[..., Any]]
) -> Outcome:
    answers = try_out(narrowed(program), functions)
    if isinstance(answers, Failed):
        return Raised("ValueError", answers.message, None, 0)
    dtype = _dtype(program)
    return Finished({name: _returned(value, backend, dtype) for name, value in answers.items()})


@dataclass(frozen=True, slots=True)
class DrillFigures:
    """Count the drill in `folder`: its mutants, its own files and the corpus."""

    folder: Path
    own: Tally
    corpus: Tally = Tally()
    error: DrillError | None = None  # why the drill could not be asked


def check_drills(
    folders: Sequence[Path], submissions: Path | None = None, seed: int | None = None
) -> tuple[DrillFigures, ...]:
    """The figures of all drills, in order, with the corpus in `submissions` where it is given.

    Drills are shared out between processes. GradingError when the sandbox cannot be had.
    """
    shares = [folders[first::AT_ONCE] for first in range(min(AT_ONCE, len(folders)))]
    if len(shares) <= 1:
        return _check_share(folders, submissions, seed)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(shares), context, end_with_parent) as processes:
        checked = list(
            processes.map(
                _check_share, shares, itertools.repeat(submissions), itertools.repeat(seed)
            )
        )
    by_folder = {figures.folder: figures for figures in itertools.chain.from_iterable(checked)}
    return tuple(by_folder[folder] for folder in folders)


def _check_share(
    folders: Sequence[Path], submissions: Path | None, seed: int | None
) -> tuple[DrillFigures, ...]:
    with carriers() as both:
        return tuple(_check_drill(folder, submissions, both, seed) for folder in folders)


@contextlib.contextmanager
def carriers() -> Iterator[Mapping[str, Runner]]:
    """Warm servers of both backends, which start each next worker while answers are compared."""
    with contextlib.ExitStack() as opened:
        yield {backend: opened.enter_context(Runner(backend, ahead=True)) for backend in Backend}


def _check_drill(
    folder: Path, submissions: Path | None, carriers: Mapping[str, Runner], seed: int | None
) -> DrillFigures:
    try:
        trial = CheckRun(load_drill(folder), carriers, seed)
        own = check_mutants(trial.drill, seed or 0) + check_files(folder, trial)
        own += check_probes(trial.drill, (folder / "brief.md").read_text("utf-8"), seed or 0)
        if submissions is None or not (submissions / folder.name).is_dir():
            return DrillFigures(folder, own)
        with unpacked(submissions / folder.name) as labelled:
            return DrillFigures(folder, own, check_corpus(labelled, trial))
    except DrillError as error:
        return DrillFigures(folder, Tally(), error=error)


class CheckRun:
    """Grades any number of submissions to `drill`, all on the same questions."""

    def __init__(
        self, drill: Drill, carriers: Mapping[str, Executor], seed: int | None = None
    ) -> None:
        self.drill = drill
        self._carriers = carriers
        self._seed = seed
        self._drawn: dict[str, Drawn] = {}

    def grade(
        self, submission: Submission, drill: Drill | None = None, *, depth: Depth = Depth.WHOLE
    ) -> Report:
        """The report of this depth; `drill` is the same one but for its limits."""
        backend, carrier = submission.backend, self._carriers[submission.backend]
        if backend not in self._drawn:
            self._drawn[backend] = draw(self.drill, backend, carrier.device, self._seed)
        drawn = self._drawn[backend]
        *_, last = reports(drill or self.drill, submission, carrier, drawn=drawn, depth=depth)
        return last

    def grade_file(
        self,
        path: Path,
        backend: Backend | None = None,
        drill: Drill | None = None,
        *,
        depth: Depth = Depth.WHOLE,
    ) -> Report:
        """The report on the file at `path`, in the backend that it names or in `backend`."""
        return self.grade(self.submission(path, backend), drill, depth=depth)

    def mended(self, path: Path, report: Report) -> Report:
        """The report on the file at `path` with the change that makes it right, if one is found."""
        submission = self.submission(path)
        runner, drawn = self._carriers[submission.backend], self._drawn[submission.backend]
        if not isinstance(runner, Runner):
            return report
        return mended(self.drill, submission, runner, runner.variants, report, drawn=drawn)

    def submission(self, path: Path, backend: Backend | None = None) -> Submission:
        """The file at `path` as it is graded."""
        source = path.read_bytes()
        beside = files_beside(path, source)
        asked = self.drill
        wanted, why = choose(
            asked.id, source, asked.entries, asked.backends, given=backend, beside=beside
        )
        return Submission(path.name, source, wanted, asked.entries, beside=beside, why=why)


def check_mutants(drill: Drill, seed: int) -> Tally:
    """Every way of every misconception as a submission in numpy, run here.

    A way that changes only steps that the drill never takes is no mutant of it, and not counted.
    """
    figure, drill = Tally(), replace(drill, in_steps=())
    submission = Submission("mutant.py", b"", Backend.NUMPY, drill.entries)
    right = ReferenceCarrier(drill)
    drawn = draw(drill, Backend.NUMPY, right.device, seed)
    figure += _accepted("the reference", grade(drill, submission, right, drawn=drawn))
    for mistake in singles(drill.misconceptions):
        taken: set[str] = set()
        change = functools.partial(_watched, mistake, taken)
        report = grade(drill, submission, ReferenceCarrier(drill, change), drawn=drawn)
        if taken:
            figure += _mutant(mistake, report)
    return figure


def check_files(folder: Path, trial: CheckRun) -> Tally:
    """The drill's own starters, which must fail, and solutions, which must pass on each backend."""
    figure = Tally()
    for path in sorted(folder.glob("starter*.py")):
        figure += _rejected(path.name, trial.grade_file(path, depth=Depth.VERDICT))
    for backend in trial.drill.backends:
        path = in_folder(folder, "solution", backend)
        figure += _accepted(path.name, trial.grade_file(path, Backend(backend)))
    figure += _check_steps(folder, trial)
    without_limit = replace(trial.drill, limit=None)
    for path in sorted(folder.glob("contrast*.py")):
        # It is there to cost more, and is no submission: only that it is wrong would be a problem.
        report = trial.grade_file(path, drill=without_limit)
        figure += Tally(problems=_accepted(path.name, report).problems)
    return figure


def _check_steps(folder: Path, trial: CheckRun) -> Tally:
    """The solution with each step of its own, which is right, and with that of the starter.

    So the whole passes only with all of them.
    """
    figure, steps = Tally(), trial.drill.in_steps
    whole = replace(trial.drill, in_steps=())
    for backend, step in itertools.product(trial.drill.backends, steps):
        for stem, counted in (("solution", _accepted), ("starter", _rejected)):
            path = in_folder(folder, stem, backend)
            submission = up_to(trial.submission(path, Backend(backend)), [step], folder)
            report = trial.grade(submission, whole, depth=Depth.VERDICT)
            figure += counted(f"{path.name}, the step {step.name},", report)
    if steps and steps[-1].name not in whole.entries:
        problem = f"brief.md: the last step is {steps[-1].name!r}, not what the drill asks for"
        figure += Tally(problems=(problem,))
    return figure


def check_probes(drill: Drill, brief: str, seed: int) -> Tally:
    """The right answer made wrong under one condition or two, which some case must find out."""
    figure = Tally()
    for backend in drill.backends:
        tried, missed = holes(drill, brief, backend, seed)
        figure += Tally(probes=Count(tried - len(missed), tried), problems=missed)
    return figure


def check_corpus(folder: Path, trial: CheckRun) -> Tally:
    """Whole submissions in `folder/right` and `folder/wrong`, labelled in their first lines.

    One that imports files beside it has a folder of its own, and is `submission.py` there.
    """
    figure = Tally()
    for path in corpus(folder / "right"):
        figure += _accepted(_name(path), trial.grade_file(path))
    for path in corpus(folder / "wrong"):
        label = _label(path)
        report = trial.grade_file(path)
        if not _is_told(report):
            report = trial.mended(path, report)
        figure += _rejected(_name(path), report) + _told(report)
        if label != NO_NAME:
            figure += _named(_name(path), {part.strip() for part in label.split(",")}, report)
    return figure


def corpus(folder: Path) -> list[Path]:
    """The submissions in `folder`, without the files that they import."""
    return sorted([*folder.glob("*.py"), *folder.glob("*/submission.py")])


def _accepted(name: str, report: Report) -> Tally:
    problems = () if report.passed else (f"{name}: right but refused: {_why(report)}",)
    return Tally(accepted=Count(int(report.passed), 1), problems=problems)


def _rejected(name: str, report: Report) -> Tally:
    problems = (f"{name}: wrong but accepted, seed {report.seed}",) if report.passed else ()
    return Tally(rejected=Count(int(not report.passed), 1), problems=problems)


def _label(path: Path) -> str:
    found = LABEL.search(path.read_bytes().decode("utf-8", "replace"))
    return found[1].strip() if found else NO_NAME


def _told(report: Report) -> Tally:
    """Count whether a rejected submission was told a mistake, or at least something."""
    if report.passed:
        return Tally()
    without_mistake = Count(int(not report.diagnosis), 1)
    return Tally(without_mistake=without_mistake, unnamed=Count(int(not _is_told(report)), 1))


def _is_told(report: Report) -> bool:
    """Return whether a rejected submission was told a mistake, its error, a fact or a change."""
    ended = report.verdict is not Verdict.WRONG and bool(report.message)
    return bool(ended or report.diagnosis or report.observations or report.repair)


def _mutant(mistake: Mistake, report: Report) -> Tally:
    name = f"{report.drill}: {' + '.join(mistake.ids)}"
    if report.verdict in {Verdict.PASSED, Verdict.ERROR}:  # what raises has no value to be known by
        return _rejected(name, report)
    return _rejected(name, report) + _named(name, set(mistake.ids), report)


def _watched(mistake: Mistake, taken: set[str]) -> Change:
    """Return the change that a mistake makes, which adds to `taken` the names that are used."""

    def watched(name: str, replacement: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(replacement, updated=())
        def take(*args: Any, **kwargs: Any) -> Any:
            taken.add(name)
            return replacement(*args, **kwargs)

        return take

    return {name: watched(name, replacement) for name, replacement in mistake.change().items()}


def _named(name: str, expected: set[str], report: Report) -> Tally:
    first = set(report.diagnosis[0].misconceptions) if report.diagnosis else set()
    count = Count(int(first == expected), 1)
    misnamed = (
        ()
        if first == expected
        else (f"{name}: {_list(expected)}, diagnosed as {_list(first)}, seed {report.seed}",)
    )
    if len(expected) == 1:
        return Tally(singles=count, misnamed=misnamed)
    return Tally(pairs=count, misnamed=misnamed)


def _why(report: Report) -> str:
    failed = [f"{case.name}: {case.message}" for case in report.cases if not case.passed]
    return f"{report.verdict.value}, {'; '.join(failed[:2]) or report.message}, seed {report.seed}"


def _list(identifiers: Iterable[str]) -> str:
    return " + ".join(sorted(identifiers)) or "nothing"


def _name(path: Path) -> str:
    return "/".join(path.parts[-3:])


def _dtype(program: CallPlan) -> str:
    """The dtype of the answers: that of the first numbers with a fraction, else of the first."""
    given = [each.dtype for each in program.arrays()]
    return next((each for each in given if each in FLOATS), (*given, "float64")[0])


def _returned(value: object, backend: Backend, dtype: str) -> Returned:
    if isinstance(value, tuple):
        return tuple(_returned(part, backend, dtype) for part in value)
    if isinstance(value, int):
        return value
    kind = "torch.Tensor" if backend is Backend.TORCH else "numpy.ndarray"
    values = np.asarray(value)
    if values.dtype.kind in "ib":  # tokens, for example, that a model of floats chose
        return ArrayOutput(values, values.dtype.name, "cpu", kind)
    if dtype == "bfloat16":  # which numpy lacks: it travels widened
        return ArrayOutput(rounded(values, dtype).astype(np.float32), dtype, "cpu", kind)
    if dtype not in FLOATS and values.dtype.kind == "f":  # a mean of whole numbers, for example
        return ArrayOutput(values, values.dtype.name, "cpu", kind)
    with np.errstate(over="ignore"):  # of what float16 cannot hold
        return ArrayOutput(values.astype(dtype), dtype, "cpu", kind)
