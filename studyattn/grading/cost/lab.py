"""Measuring how the cost of an implementation grows, in the sandbox.

For each n the drill's own question is drawn and asked in a program whose last call is counted; the
answer is judged as in grading, since the cost of a wrong answer says little. Then the question is
asked again with that call timed, uncounted and unwatched, because counting takes time of its own.
One worker carries out the whole series; whatever it does ends within the worker's limits.
"""

from __future__ import annotations

import dataclasses
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from studyattn.grading.call_plan import Call, CallPlan, Ended, Finished, Invalid, Outcome, Raised
from studyattn.grading.compare import compare
from studyattn.grading.cost.measurements import CostSeries, Point, Role, Stopped
from studyattn.grading.drawn_case import DrawnCase, draw_case
from studyattn.grading.drill import Case, Drill, Growth
from studyattn.grading.judge import SEED_BITS
from studyattn.grading.pack_errors import naming_the_pack
from studyattn.grading.submission import Submission
from studyattn.grading.verdict import refusal

CarryOut = Callable[[CallPlan], Outcome]

TIMED = 3
"""Calls that are timed at each n; the quickest is kept, for nothing makes a call too quick."""

PATIENCE = 2.0
"""Seconds for one n, all its programs together. A series that needs more ends there."""


class Carrier(Protocol):
    """An executor that keeps a submission loaded: `runner.Runner`."""

    @property
    def device(self) -> str: ...

    def loaded(
        self, submission: Submission, like: Sequence[CallPlan]
    ) -> AbstractContextManager[CarryOut]: ...


@dataclass(frozen=True, slots=True)
class Subject:
    """An implementation of `drill` to be measured at the values `at` of n."""

    title: str
    role: Role
    drill: Drill
    growth: Growth
    submission: Submission
    at: tuple[int, ...]


def measure(
    subject: Subject,
    carrier: Carrier,
    seed: int | None = None,
    told: Callable[[CostSeries], None] | None = None,
) -> CostSeries:
    """The series of `subject`; `told` hears of it after each n. GradingError passes."""
    drill = subject.drill
    submission = dataclasses.replace(
        subject.submission, entries=drill.entries, forbidden=drill.forbidden
    )
    if seed is None:
        seed = secrets.randbits(SEED_BITS)
    series = CostSeries(subject.title, subject.role, drill.id)
    first = _question(subject, subject.at[0], seed)
    with carrier.loaded(submission, [first.program]) as carry_out:
        for measured in _measured(subject, carrier.device, carry_out, seed):
            if isinstance(measured, Stopped):
                return dataclasses.replace(series, stopped=measured)
            series = dataclasses.replace(series, points=(*series.points, measured))
            if told is not None:
                told(series)
    return series


def _measured(
    subject: Subject, device: str, carry_out: CarryOut, seed: int
) -> Iterator[Point | Stopped]:
    """A point for each n, or why there are no more."""
    for n in subject.at:
        question = _question(subject, n, seed)
        started = time.monotonic()
        counted = carry_out(question.program)
        if not isinstance(counted, Finished) or counted.usage is None:
            yield Stopped(n, *_why(counted))
            return
        seconds = []
        for _ in range(TIMED):
            timed = carry_out(_timed(question.program))
            if not isinstance(timed, Finished) or timed.seconds is None:
                yield Stopped(n, *_why(timed))
                return
            seconds.append(timed.seconds)
        took = time.monotonic() - started
        yield Point(
            n,
            counted.usage.flops,
            counted.usage.largest_array,
            min(seconds),
            _is_right(subject, device, question, counted),
        )
        if took > PATIENCE and n != subject.at[-1]:
            yield Stopped(n, f"it took {took:.1f} s, and larger n would take longer")
            return


def _question(subject: Subject, n: int, seed: int) -> DrawnCase:
    with naming_the_pack(subject.drill.place, f"the growth of {subject.drill.id!r} has no n = {n}"):
        sizes = subject.growth.sizes(n)
    case = Case(f"n = {n}", sizes, costed=True)
    return draw_case(subject.drill, case, (seed, n))


def _timed(program: CallPlan) -> CallPlan:
    """The same steps with the last call timed and nothing sent back."""
    *before, last = program.steps
    if not isinstance(last, Call):
        raise TypeError("only a call can be timed")
    steps = (*before, dataclasses.replace(last, measured=False, timed=True))
    return CallPlan(steps, returns=(), check_inputs=False)


def _is_right(subject: Subject, device: str, question: DrawnCase, outcome: Finished) -> bool:
    backend = subject.submission.backend
    return not any(
        compare(
            outcome.registers, leaf, backend=backend, device=device, dtype=question.case.dtype
        ).fault
        for leaf in question.expected
    )


def _why(outcome: Outcome) -> tuple[str, int | None]:
    """Why nothing was measured, and the line in the file where there is one."""
    match outcome:
        case Invalid(message, line):
            return message, line
        case Ended(_, detail):
            return detail, None
        case Raised(forbidden=str(name), line=line):
            return refusal(name), line
        case Raised(type_name, line=line):
            return f"it raised {outcome.told}" if type_name else outcome.told, line
    return "not measured", None
