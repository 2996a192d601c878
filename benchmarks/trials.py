"""Tries the grader on mutants of programs that nobody here wrote.

    python -m benchmarks.trials FOLDER --mutants 20
    python -m benchmarks.trials FOLDER --mutants 20 --double 5 --list

FOLDER has a folder for each drill, with right programs in any style. Their small edits, and pairs
of them, are mutants. A mutant is wrong when it answers otherwise than its program does on questions
that the grader does not ask: the inputs of drawings with seeds of their own, all in float64,
compared with the program itself and not with the reference. What answers alike is left out. All
that is asked is in float64, so only a mutant that names another type may want digits: any other
that is told so is told something false.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from studyattn.grading.call_plan import (
    ArrayInput,
    ArrayOutput,
    Call,
    CallPlan,
    Ended,
    Finished,
    Outcome,
    Returned,
)
from studyattn.grading.diagnosis.edits import Edit, applied, edits_of
from studyattn.grading.domain import FLOATS
from studyattn.grading.drawn_case import draw_case
from studyattn.grading.drill import Drill
from studyattn.grading.grader import Grader
from studyattn.grading.misconception import Sign
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Submission
from studyattn.grading.verdict import Report, Verdict

QUESTIONS = 500
FIRST = 10
"""Questions that every mutant is asked; those that answer alike are asked all."""

SECONDS = 5.0
"""For a mutant to answer some of the questions. One that takes longer is asked the next one alone,
in the time that an attempt has: a loop without end is wrong, and a slow answer is not."""

NEAR = 1e-9
"""Relative difference of two answers in float64 that are the same but for rounding."""


Made = tuple[bytes, tuple[Edit, ...]]
"""The text of a mutant, and its edits."""


@dataclasses.dataclass(frozen=True, slots=True)
class Mutant:
    """A program with edits, and what the grader said of it."""

    drill: str
    file: Path
    edits: tuple[Edit, ...]
    report: Report
    digits: str  # the mistake of too few digits

    @property
    def is_told_false(self) -> bool:
        """Return whether its digits are called too few, though its formula is wrong."""
        told = {name for each in self.report.diagnosis for name in each.misconceptions}
        types = any(word in each.after for each in self.edits for word in ("float", "half"))
        return self.digits in told and not (self.report.repair or types)

    @property
    def told(self) -> str:
        """The best that was told: its mistake, a change that mends it, a fact, or nothing."""
        if self.report.passed:
            return "passed"
        if self.report.diagnosis:
            return "mistake"
        if self.report.repair:
            return "change"
        if self.report.verdict is not Verdict.WRONG:
            return "error"
        return "fact" if self.report.observations else "nothing"

    @property
    def description(self) -> str:
        edits = "; ".join(
            f"line {each.line}: {each.before!r} → {each.after!r}" for each in self.edits
        )
        return f"{self.drill}/{self.file.name}: {edits}"


def questions(drill: Drill) -> Iterator[CallPlan]:
    """Yield programs in float64 on the inputs of the drill's conditions, seeds after seeds."""
    plain = [case for case in drill.asked if not (case.gradients or case.costed or case.twice)]
    for number in range(QUESTIONS):
        case = plain[number % len(plain)]
        if case.dtype in FLOATS:
            case = dataclasses.replace(case, dtype="float64")
        drawn = draw_case(drill, case, (7919, number))
        yield CallPlan(tuple(map(_in_float64, drawn.calls)), drawn.program.returns)


def _in_float64(call: Call) -> Call:
    def widened(argument: object) -> object:
        if isinstance(argument, ArrayInput) and argument.dtype in FLOATS:
            return ArrayInput(argument.values, "float64", argument.layout)
        return argument

    args = tuple(map(widened, call.args))
    kwargs = {name: widened(value) for name, value in call.kwargs.items()}
    return dataclasses.replace(call, args=args, kwargs=kwargs)  # type: ignore[arg-type]  # the same kinds


def alike(one: Outcome, other: Outcome) -> bool:
    """Return whether two outcomes are the same answer, but for rounding."""
    if isinstance(one, Finished) and isinstance(other, Finished):
        return one.registers.keys() == other.registers.keys() and all(
            _same(one.registers[name], other.registers[name]) for name in one.registers
        )
    return type(one) is type(other)


def _same(one: Returned, other: Returned) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, ArrayOutput) and isinstance(other, ArrayOutput):
        return one.values.shape == other.values.shape and np.allclose(
            one.values.astype(float), other.values.astype(float), NEAR, NEAR, equal_nan=True
        )
    return type(one) is type(other) and one == other


def mutants(source: bytes, singles: int, doubles: int, chance: random.Random) -> list[Made]:
    """Return a sample of the edits of a program, and of pairs of them."""
    edits = edits_of(source)
    found: list[Made] = [
        (applied(source, edit), (edit,)) for edit in chance.sample(edits, min(singles, len(edits)))
    ]
    for edit in chance.sample(edits, min(doubles, len(edits))):
        once = applied(source, edit)
        try:
            second = chance.choice(edits_of(once))
        except (SyntaxError, ValueError, IndexError):
            continue
        found.append((applied(once, second), (edit, second)))
    return found


def wrong_ones(
    drill: Drill,
    submission: Submission,
    made: Sequence[Made],
    runner: Runner,
) -> list[Made]:
    """Return the mutants that answer otherwise than the program they are made of."""
    programs = list(questions(drill))
    wrong: list[Made] = []
    others = list(made)

    def differs(
        some: Sequence[CallPlan],
        right: Sequence[Outcome],
        source: bytes,
        answered: Iterable[Outcome],
    ) -> bool:
        for program, one, other in zip(some, right, answered, strict=True):
            if isinstance(one, Ended):  # of a slow program only as far as it comes
                return False
            if isinstance(other, Ended):
                alone = dataclasses.replace(submission, source=source)
                return not alike(one, *runner.run(alone, [program]))
            if not alike(one, other):
                return True
        return False

    for some in (programs[:FIRST], programs[FIRST:]):
        sources = [submission.source, *(source for source, _ in others)]
        right, *answered = list(runner.variants(submission, sources, some, SECONDS))
        alike_so_far: list[Made] = []
        for mutant, outcomes in zip(others, answered, strict=True):
            different = differs(some, right, mutant[0], outcomes)
            (wrong if different else alike_so_far).append(mutant)
        others = alike_so_far
    return wrong


def trial(
    folder: Path, singles: int, doubles: int, seed: int
) -> tuple[list[Mutant], list[tuple[str, Report]]]:
    """Return the wrong mutants of all programs in `folder`, and what was said of the programs."""
    chance = random.Random(seed)
    found: list[Mutant] = []
    programs: list[tuple[str, Report]] = []
    with Grader() as grader:
        for file in sorted(folder.glob("*/*.py")):
            drill = grader.drill(file.parent.name)
            submission = grader.submission(drill, file)
            report = grader.grade(drill, submission)
            programs.append((f"{drill.id}/{file.name}", report))
            if not report.passed:
                continue
            prepared = submission.for_drill(drill.id, drill.entries, drill.forbidden)
            made = mutants(submission.source, singles, doubles, chance)
            with Runner(submission.backend) as runner:
                wrong = wrong_ones(drill, prepared, made, runner)
            for source, edits in wrong:
                mutant = dataclasses.replace(submission, source=source)
                graded = grader.grade(drill, mutant)
                if not graded.is_named:
                    graded = grader.mend(drill, mutant, graded)
                digits = drill.misconception_of(Sign.LOW_PRECISION)
                name = digits.id if digits else ""
                found.append(Mutant(drill.id, file, edits, graded, name))
            print(f"  {drill.id}/{file.name}: {len(wrong)} wrong of {len(made)}", file=sys.stderr)
    return found, programs


def main() -> int:
    """Print what the grader made of each drill's mutants. 1 when a wrong one passed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trials")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutants", type=int, default=20, help="single edits of each program")
    parser.add_argument("--double", type=int, default=5, help="pairs of edits of each program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name those that passed or got nothing")
    options = parser.parse_args()
    found, programs = trial(options.folder, options.mutants, options.double, options.seed)
    refused = [name for name, report in programs if not report.passed]
    print(f"right programs: {len(programs)}, refused {len(refused)} {' '.join(refused)}")
    columns = ("passed", "mistake", "change", "fact", "error", "nothing")
    print(f"{'drill':<26}{'wrong':>7}" + "".join(f"{name:>9}" for name in (*columns, "false")))
    for drill in [*sorted({each.drill for each in found}), "all"]:
        these = [each for each in found if drill in {each.drill, "all"}]
        counts = collections.Counter(each.told for each in these)
        row = "".join(f"{counts[name]:>9}" for name in columns)
        print(f"{drill:<26}{len(these):>7}{row}{sum(each.is_told_false for each in these):>9}")
    for told in ("passed", "nothing", "fact") if options.list else ():
        for each in found:
            if each.told == told:
                facts = " ".join(fact.text for fact in each.report.observations)
                print(f"{told}  {each.description}  {facts}")
    for each in found if options.list else ():
        if each.is_told_false or each.told in {"mistake", "change"}:
            titles = "; ".join(diagnosis.title for diagnosis in each.report.diagnosis)
            lines = " ".join(change.hint for change in each.report.repair)
            print(f"{each.told}  {each.description}  {titles}  {lines}")
    return any(each.report.passed for each in found)


if __name__ == "__main__":
    sys.exit(main())
