"""Judge a submission: draw, have it carried out, compare, diagnose.

The judge alone holds the reference and the right answers. It asks everything in one run of the
worker, the small questions first, and asks a second time only for a counterexample. The verdict is
reported as soon as it is known, the diagnosis when it is found.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from studyattn.grading import backend_choice, remarks, steps
from studyattn.grading.call_plan import Call, CallPlan, Ended, Finished, Invalid, Outcome, Raised
from studyattn.grading.compare import Comparison, compare
from studyattn.grading.cost import limits
from studyattn.grading.diagnosis import counterexample, repair, reproduction
from studyattn.grading.diagnosis.observations import observe
from studyattn.grading.diagnosis.search import diagnose
from studyattn.grading.diagnosis.signs import Ask
from studyattn.grading.drawn_case import SMALL_CASE, DrawnCase, draw_cases, predicted
from studyattn.grading.drill import Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.misconception import singles
from studyattn.grading.pack_errors import naming_the_pack
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import (
    NOT_WRITTEN,
    CaseResult,
    Change,
    Cost,
    Counterexample,
    Diagnosis,
    Observation,
    Report,
    StepResult,
    Verdict,
    legible,
    refusal,
    step_asked,
)

SEED_BITS = 48


class Executor(Protocol):
    """An executor of call plans on a submission: `runner.Runner`, or the reference itself."""

    @property
    def device(self) -> str: ...

    @property
    def isolation(self) -> tuple[str, ...]: ...

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> Iterable[Outcome]: ...


Variants = Callable[
    [Submission, Sequence[bytes], Sequence[CallPlan], float], Iterator[tuple[Outcome, ...]]
]
"""Runs a submission with other texts: see `Runner.variants`."""


@dataclasses.dataclass(frozen=True, slots=True)
class Drawn:
    """The questions of one attempt, with their right answers."""

    seed: int  # private until the report is out
    questions: tuple[DrawnCase, ...]


def draw(drill: Drill, backend: str, device: str, seed: int | None = None) -> Drawn:
    """Draw the questions of the next attempt, which takes a third of a verdict's time."""
    if seed is None:
        seed = secrets.randbits(SEED_BITS)
    return Drawn(seed, draw_cases(drill, backend, device, seed))


AHEAD = 0.3
"""Seconds for which the answers of mistakes are computed ahead of an attempt."""


def foresee(drill: Drill, drawn: Drawn) -> None:
    """Compute what mistakes answer to the small questions, for `AHEAD` seconds at most.

    The diagnosis needs it, and computes what is missing. DrillError when a mistake fails.
    """
    deadline = time.monotonic() + AHEAD
    small = [each for each in drawn.questions if each.case.name == SMALL_CASE]
    first = {str(each.case.sizes): each for each in reversed(small)}
    with naming_the_pack(drill.place, f"a misconception of {drill.id!r} fails", own=True):
        for question in dict.fromkeys((*reversed(first.values()), *small)):
            for mistake in singles(drill.misconceptions):
                if time.monotonic() > deadline:
                    return
                predicted(drill, mistake, question)


class Depth(enum.Enum):
    """The detail to which a submission that did not pass is looked into."""

    VERDICT = enum.auto()
    NAMES = enum.auto()  # mistakes and facts
    WHOLE = enum.auto()  # a small input that shows it, too


BUDGET = 0.3
"""Seconds of diagnosis after which the smallest input is shown while the search goes on."""


def grade(
    drill: Drill,
    submission: Submission,
    carrier: Executor,
    seed: int | None = None,
    *,
    drawn: Drawn | None = None,
) -> Report:
    """Return the complete report on `submission`: the last of its `reports`."""
    *_, last = reports(drill, submission, carrier, seed, drawn=drawn)
    return last


def reports(
    drill: Drill,
    submission: Submission,
    carrier: Executor,
    seed: int | None = None,
    *,
    drawn: Drawn | None = None,
    depth: Depth = Depth.WHOLE,
) -> Iterator[Report]:
    """Yield the report on `submission` as soon as there is a verdict, and again as it grows.

    The last one has all that `depth` asks for, and is `complete` where that is the whole. The
    submission is asked what was `drawn` for it or is drawn now; what was drawn is for one attempt,
    since a report contains its seed. Raises GradingError when the carrier cannot run anything,
    DrillError when the drill fails.
    """
    started = time.monotonic()
    drawn = drawn or draw(drill, submission.backend, carrier.device, seed)
    submission = submission.for_drill(drill.id, drill.entries, drill.forbidden)
    answers = ask(drill, submission, carrier, drawn.questions)
    results, last = _looked(drill, submission, carrier, drawn.questions, answers)
    if step_asked(results):
        submission, answers = last
    verdict, message, line = _verdict(answers, submission.source)
    if {each.verdict for each in results} == {Verdict.PASSED, None}:
        answers, verdict, message, line = (), Verdict.STEP, steps.after(results), None
    unanswered = verdict in {Verdict.WRONG, Verdict.ERROR}
    if unanswered and not any(entry.passed for entry in answers):
        message = "; ".join(filter(None, (message, _wrong_backend(submission))))
    is_shown = unanswered and depth is Depth.WHOLE
    shown = counterexample.find(drill, answers) if is_shown else None

    @functools.cache
    def written(found: JudgedCase) -> Counterexample:
        is_whole = submission.rest is None  # a step's answers are no call of the file
        python = reproduction.script(drill, submission, carrier.device, found) if is_whole else ""
        return dataclasses.replace(counterexample.write(drill, found), python=python)

    def report(stage: _Stage) -> Report:
        return Report(
            drill=drill.id,
            verdict=verdict,
            backend=submission.backend,
            backend_reason=submission.why,
            device=carrier.device,
            cases=_cases(answers),
            diagnosis=stage.diagnosis,
            observations=stage.observations,
            counterexample=None if stage.shown is None else written(stage.shown),
            remarks=remarks.collect(answers, submission),
            cost=_cost(drill, answers),
            isolation=carrier.isolation,
            seconds=round(time.monotonic() - started, 4),
            seed=drawn.seed,
            message=message,
            line=line,
            printed=_printed(answers, stage.shown),
            steps=results,
            complete=stage.complete and depth is Depth.WHOLE,
        )

    def ask_again(
        questions: Sequence[DrawnCase], changed: Callable[[bytes], bytes] = bytes, /
    ) -> tuple[JudgedCase, ...]:
        asked = dataclasses.replace(submission, source=changed(submission.source))
        return ask(drill, asked, carrier, questions)

    def smaller() -> JudgedCase | None:
        """Return the easiest wrong answer of these and of those to simpler questions."""
        questions = counterexample.simpler(drill, answers, drawn.seed)
        return counterexample.find(drill, (*answers, *ask_again(questions)))

    if depth is Depth.VERDICT:
        yield report(_Stage())
    elif unanswered or verdict is Verdict.REFUSED:
        with naming_the_pack(drill.place, f"a misconception of {drill.id!r} fails", own=True):
            source = submission.source
            known = _explained(drill, answers, shown, ask_again, smaller, source=source)
            yield from map(report, known)
    else:
        yield report(_Stage(complete=True))


def _looked(
    drill: Drill,
    submission: Submission,
    carrier: Executor,
    questions: Sequence[DrawnCase],
    answers: tuple[JudgedCase, ...],
) -> tuple[tuple[StepResult, ...], tuple[Submission, tuple[JudgedCase, ...]]]:
    """Return how far a drill in steps has come, and the step to mend with its answers."""
    last = submission, answers

    def verdict_on(part: Submission) -> Verdict | None:
        nonlocal last
        asked = ask(drill, part, carrier, questions)
        verdict = _written(asked, part.source)
        if verdict is not Verdict.PASSED:
            last = part, asked
        return verdict

    whole = _written(answers, submission.source)
    return steps.look(drill.in_steps, drill.folder, submission, whole, verdict_on), last


def _written(answers: Sequence[JudgedCase], source: bytes) -> Verdict | None:
    """Return the verdict; None on what is not written yet."""
    verdict, message, _ = _verdict(answers, source)
    return None if message.startswith(NOT_WRITTEN) else verdict


@dataclasses.dataclass(frozen=True, slots=True)
class _Stage:
    """The facts so far about a submission that did not pass. `shown` is its smallest input."""

    shown: JudgedCase | None = None
    diagnosis: tuple[Diagnosis, ...] = ()
    observations: tuple[Observation, ...] = ()
    complete: bool = False


def _explained(
    drill: Drill,
    answers: Sequence[JudgedCase],
    found: JudgedCase | None,
    ask_again: Ask,
    smaller: Callable[[], JudgedCase | None],
    *,
    source: bytes,
) -> Iterator[_Stage]:
    """Yield what is known as it grows: nothing, the first name, the input, all of it.

    `ask_again` and `smaller` take a run of the worker. Where there is an input `found` and it is
    not easy, a smaller one is asked for when the mistake is named, or after `BUDGET`.
    """
    fits = found is None or counterexample.is_easy(found.question)
    stage = _Stage(found if fits else None)
    yield stage
    deadline = time.monotonic() + BUDGET
    for known in diagnose(drill, answers, ask_again):
        is_new = known is not None and known[:1] != stage.diagnosis[:1]
        if known is not None:
            stage = dataclasses.replace(stage, diagnosis=known)
        elif not fits and time.monotonic() > deadline:
            fits = is_new = True
            stage = dataclasses.replace(stage, shown=smaller())
        if is_new:
            yield stage
    stage = dataclasses.replace(
        stage, observations=observe(drill, answers, ask_again, stage.diagnosis, source)
    )
    if not fits:
        if stage.observations:
            yield stage
        stage = dataclasses.replace(stage, shown=smaller())
    yield dataclasses.replace(stage, complete=True)


@dataclasses.dataclass(frozen=True, slots=True)
class _Bench:
    """Runs and judges variants of a submission, for `repair`."""

    drill: Drill
    submission: Submission
    carrier: Executor
    variants: Variants
    drawn: Drawn

    def run(
        self, sources: Sequence[bytes], programs: Sequence[CallPlan], seconds: float
    ) -> Iterator[tuple[Outcome, ...]]:
        return self.variants(self.submission, sources, programs, seconds)

    def judge(self, asked: JudgedCase, outcome: Outcome) -> JudgedCase:
        backend, device = self.submission.backend, self.carrier.device
        judged = _judge(self.drill, backend, device, asked.question, outcome)
        return remarks.accept_variant(self.drill, (judged,))[0]

    def ask(self, source: bytes) -> tuple[JudgedCase, ...]:
        return self._asked(source, self.drawn.questions)

    def passes(self, source: bytes) -> bool:
        backend, device = self.submission.backend, self.carrier.device
        fresh = draw(self.drill, backend, device, self.drawn.seed ^ 1)
        return all(
            answered.passed
            for drawn in (self.drawn, fresh)
            for answered in self._asked(source, drawn.questions)
        )

    def _asked(self, source: bytes, questions: Sequence[DrawnCase]) -> tuple[JudgedCase, ...]:
        mended = dataclasses.replace(self.submission, source=source)
        return ask(self.drill, mended, self.carrier, questions)


def mended(
    drill: Drill,
    submission: Submission,
    carrier: Executor,
    variants: Variants,
    report: Report,
    *,
    drawn: Drawn | None = None,
) -> Report:
    """Return `report` on this submission with the change that makes it right, if one is found.

    `drawn` is what it was asked, drawn again where that is not there any more.

    It is one change where a name explains all wrong answers, and two where none does. Raises what
    `reports` does.
    """
    if report.verdict not in {Verdict.WRONG, Verdict.ERROR}:
        return report
    drawn = drawn or draw(drill, submission.backend, carrier.device, report.seed)
    submission = submission.for_drill(drill.id, drill.entries, drill.forbidden)
    if report.step:
        submission = steps.up_to(submission, drill.in_steps[: report.step], drill.folder)
    answers = ask(drill, submission, carrier, drawn.questions)
    bench = _Bench(drill, submission, carrier, variants, drawn)
    is_explained = any(each.explained == each.failed for each in report.diagnosis)
    seconds = repair.SECONDS if is_explained else repair.SECONDS_FOR_TWO
    found = repair.find(submission, answers, bench, seconds, in_two=not report.is_named)
    changes = tuple(Change(each.line, each.hint, each.before, each.right) for each in found)
    return dataclasses.replace(report, repair=changes)


def ask(
    drill: Drill, submission: Submission, carrier: Executor, questions: Sequence[DrawnCase]
) -> tuple[JudgedCase, ...]:
    """Ask `questions` in one run of the worker, and compare what comes back."""
    outcomes = carrier.run(submission, [question.program for question in questions])
    answers = tuple(
        _judge(drill, submission.backend, carrier.device, question, outcome)
        for question, outcome in zip(questions, outcomes, strict=True)
    )
    if drill.limit is not None:
        answers = limits.over_growth(drill.limit, answers)
    with naming_the_pack(drill.place, f"a variant of {drill.id!r} fails", own=True):
        return remarks.accept_variant(drill, answers)


def _judge(
    drill: Drill, backend: str, device: str, question: DrawnCase, outcome: Outcome
) -> JudgedCase:
    if not isinstance(outcome, Finished):
        return JudgedCase(question, outcome, ())
    comparisons = tuple(
        compare(
            outcome.registers,
            leaf,
            backend=backend,
            device=device,
            dtype=question.case.dtype,
        )
        for leaf in question.expected
    )
    over = limits.over_limit(drill.limit, question, outcome) if drill.limit else ""
    return JudgedCase(question, outcome, comparisons, over)


def _cost(drill: Drill, answers: Sequence[JudgedCase]) -> Cost | None:
    """Return what the first case over a limit used; the first one that is costed where none is."""
    costed = [entry for entry in answers if entry.question.case.costed]
    for entry in sorted(costed, key=lambda entry: not entry.over_limit):
        if drill.limit and isinstance(entry.outcome, Finished) and entry.outcome.usage is not None:
            return limits.cost(drill.limit, entry.question, entry.outcome.usage)
    return None


# ── from answers to verdict ──────────────────────────────────────────────────────────────────────

ENDED = {"timeout": Verdict.TIMEOUT, "memory": Verdict.MEMORY}


def _verdict(answers: Sequence[JudgedCase], source: bytes) -> tuple[Verdict, str, int | None]:
    """The verdict, why in a line, and the line in the learner's file where there is one."""
    for entry in answers:
        match entry.outcome:
            case Invalid(message, line):
                return Verdict.INVALID, message, line
            case Ended(how, detail):
                return ENDED.get(how, Verdict.CRASHED), detail, None
            case Raised(forbidden=str(name), line=line):
                return Verdict.REFUSED, refusal(name), line
    failed = [entry.outcome for entry in answers if not entry.passed]
    raised = [each for each in failed if isinstance(each, Raised)]
    if not raised:
        return Verdict.WRONG if failed else Verdict.PASSED, "", None
    if len(raised) < len(failed) or not raised[0].type_name:
        return Verdict.WRONG, raised[0].told, raised[0].line
    return Verdict.ERROR, _why(raised[0], source), raised[0].line


def _why(raised: Raised, source: bytes) -> str:
    """Say what was raised. Code that is not written says so itself: torch may raise the same."""
    at = (raised.line or 1) - 1
    is_unwritten = any(b"raise" in line for line in source.splitlines()[at : at + 1])
    if raised.type_name == NotImplementedError.__name__ and is_unwritten:
        return f"{NOT_WRITTEN}: {raised.message}"
    return raised.told


def _wrong_backend(submission: Submission) -> str:
    """Say so where the file was given arrays of a library that it does not ask for."""
    asked_for = backend_choice.read(
        submission.source, submission.entries, [submission.backend, *Backend]
    )
    stated = asked_for.why == backend_choice.NAMED
    is_in_it = stated or asked_for.backend in backend_choice.imported(submission.source)
    if asked_for.backend == submission.backend or not is_in_it:  # guessed from methods
        return ""
    return f"the inputs were {submission.backend} arrays, but the file is in {asked_for.backend}"


def _cases(answers: Sequence[JudgedCase]) -> tuple[CaseResult, ...]:
    """A result a case, in the drill's order; the small questions together make the last one."""
    if answers and isinstance(answers[0].outcome, Invalid):
        return ()
    small = [entry for entry in answers if entry.question.case.name == SMALL_CASE]
    results = [_result(entry) for entry in answers if entry.question.case.name != SMALL_CASE]
    if small:
        results.append(_result(next((entry for entry in small if not entry.passed), small[-1])))
    return tuple(results)


def _result(answered: JudgedCase) -> CaseResult:
    fault = next((entry for entry in answered.comparisons if entry.fault), None)
    worst = fault or max(
        answered.comparisons, key=lambda entry: entry.max_error or 0.0, default=None
    )
    return CaseResult(
        answered.question.case.name,
        answered.passed,
        _message(answered, fault),
        worst.max_error if worst else None,
        worst.leaf.tolerance if worst else answered.question.expected[0].tolerance,
    )


def _message(answered: JudgedCase, fault: Comparison | None) -> str:
    match answered.outcome:
        case Raised(type_name) as raised:
            return f"raised {raised.told}" if type_name else raised.told
        case Ended(how, detail):
            return f"{how}: {detail}"
        case Finished(changed_inputs=changed) if changed:
            return f"changed its input: {', '.join(_input_names(answered, changed))}"
        case Finished(changed_results=(first, *_)) if not answered.wrong:
            which = "the first call" if first == "result" else first
            return (
                f"what {which} returned was changed by a later call, or by a change of its inputs"
            )
    if fault is not None:
        several = len(answered.comparisons) > 1 and fault.leaf.register != "result"
        return f"{fault.leaf.register}: {fault.message}" if several else fault.message
    return answered.over_limit


def _input_names(answered: JudgedCase, changed: Sequence[str]) -> list[str]:
    """`0.1` is the second argument of the first step."""
    names = []
    for place in changed:
        step, _, argument = place.partition(".")
        called = answered.question.program.steps[int(step)]
        ordinal = f"argument {int(argument) + 1}" if argument.isdigit() else argument
        names.append(f"{ordinal} of {called.function}" if isinstance(called, Call) else ordinal)
    return sorted(set(names))


def _printed(answers: Sequence[JudgedCase], shown: JudgedCase | None) -> str:
    """Return what was printed on the input shown; else where it ended, or on the first one."""
    ended = [entry for entry in answers if isinstance(entry.outcome, Ended)][:1]
    entry = shown or next(iter([*ended, *answers]), None)
    return "" if entry is None else legible(entry.outcome.printed)
