"""Tries the grader on mutants of programs that nobody here wrote.

    python -m benchmarks.trials FOLDER --mutants 20
    python -m benchmarks.trials FOLDER... --mutants 34 --double 4 --share 0.1 --kept trial.jsonl

FOLDER has a folder for each drill, with right programs in any style. Their small edits, and pairs
of them, are mutants; each kind of edit is as likely as any other. Of all wrong ones is asked
whether they are refused, of a share what they are told, which takes ten times as long. What was
found of a program is kept in a file, so that a trial can be interrupted. A mutant is wrong when it
answers otherwise than its program does on questions that the grader does not ask: the inputs of
drawings with seeds of their own, all in float64, compared with the program itself and not with the
reference. What answers alike is left out. All that is asked is in float64, so only a mutant that
names another type may want digits: any other that is told so is told something false.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from studyattn.grading import judge
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
    """What the grader said of a program with edits.

    `told` is the best of it: its mistake, a change that mends it, a fact, an error, or nothing; of
    what was only to be refused "refused", and of what was not "passed".
    """

    drill: str
    edits: str
    told: str
    sentences: str
    is_false: bool  # its digits are called too few, though its formula is wrong


@dataclasses.dataclass(frozen=True, slots=True)
class Program:
    """What the grader said of a right program, and of its wrong mutants."""

    name: str
    passed: bool
    mutants: tuple[Mutant, ...]


def mutant_of(drill: Drill, edits: Sequence[Edit], report: Report, *, looked_into: bool) -> Mutant:
    """Return what `report` says of a mutant."""
    names = {name for each in report.diagnosis for name in each.misconceptions}
    digits = drill.misconception_of(Sign.LOW_PRECISION)
    names_type = any(word in each.after for each in edits for word in ("float", "half"))
    is_false = digits is not None and digits.id in names and not (report.repair or names_type)
    if report.passed:
        told = "passed"
    elif not looked_into:
        told = "refused"
    elif report.diagnosis:
        told = "mistake"
    elif report.repair:
        told = "change"
    elif report.verdict is not Verdict.WRONG or report.message:
        told = "error"
    else:
        told = "fact" if report.observations else "nothing"
    sentences = (
        *(each.title for each in report.diagnosis),
        *(each.text for each in report.observations),
        *(f"line {each.line}: {each.hint}" for each in report.repair),
        report.message,
    )
    changes = (f"line {each.line}: {each.before!r} → {each.after!r}" for each in edits)
    return Mutant(drill.id, "; ".join(changes), told, "  ".join(filter(None, sentences)), is_false)


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
    found: list[Made] = [(applied(source, edit), (edit,)) for edit in fair(edits, singles, chance)]
    for edit in fair(edits, doubles, chance):
        once = applied(source, edit)
        try:
            (second,) = fair(edits_of(once), 1, chance)
        except (SyntaxError, ValueError):
            continue
        found.append((applied(once, second), (edit, second)))
    return found


def fair(edits: Iterable[Edit], count: int, chance: random.Random) -> Iterator[Edit]:
    """Yield so many edits, if there are, with each kind as likely as any other."""
    kinds: dict[str, list[Edit]] = {}
    for edit in edits:
        kinds.setdefault(edit.kind.name, []).append(edit)
    for _ in range(count):
        if not kinds:
            return
        name = chance.choice(sorted(kinds))
        yield kinds[name].pop(chance.randrange(len(kinds[name])))
        if not kinds[name]:
            del kinds[name]


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


SAME = 6
"""Mutants in a row that are asked the same questions, which take a third of the time to draw."""


def tried(grader: Grader, file: Path, options: argparse.Namespace) -> Program:
    """Return what is said of a program and of its wrong mutants."""
    name = f"{file.parent.name}/{file.name}"
    chance = random.Random(f"{options.seed} {name}")
    drill = grader.drill(file.parent.name)
    submission = grader.submission(drill, file)
    if not grader.grade(drill, submission).passed:
        return Program(name, passed=False, mutants=())
    prepared = submission.for_drill(drill.id, drill.entries, drill.forbidden)
    made = mutants(submission.source, options.mutants, options.double, chance)
    found = []
    with Runner(submission.backend) as runner:
        for number, (source, edits) in enumerate(wrong_ones(drill, prepared, made, runner)):
            if number % SAME == 0:
                drawn = judge.draw(drill, submission.backend, runner.device)
            mutant = dataclasses.replace(submission, source=source)
            looked_into = chance.random() < options.share
            depth = judge.Depth.WHOLE if looked_into else judge.Depth.VERDICT
            *_, report = judge.reports(drill, mutant, runner, drawn=drawn, depth=depth)
            if looked_into and not report.is_named:
                report = grader.mend(drill, mutant, report)
            found.append(mutant_of(drill, edits, report, looked_into=looked_into))
    return Program(name, passed=True, mutants=tuple(found))


def trial(options: argparse.Namespace) -> Iterator[Program]:
    """Yield what is said of each program, in an order that mixes the drills."""
    kept = {}
    if options.kept is not None and options.kept.exists():
        lines = options.kept.read_bytes().splitlines()
        kept = {each.name: each for each in map(msgspec.json.Decoder(Program).decode, lines)}
    files = sorted(file for folder in options.folders for file in folder.glob("*/*.py"))
    random.Random(options.seed).shuffle(files)
    with Grader() as grader:
        for file in files:
            program = kept.get(f"{file.parent.name}/{file.name}")
            if program is None:
                program = tried(grader, file, options)
                if options.kept is not None:
                    with options.kept.open("ab") as lines:
                        lines.write(msgspec.json.encode(program) + b"\n")
            print(f"  {program.name}: {len(program.mutants)} wrong", file=sys.stderr)
            yield program


def main() -> int:
    """Print what the grader made of each drill's mutants. 1 when a wrong one passed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trials")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--mutants", type=int, default=20, help="single edits of each program")
    parser.add_argument("--double", type=int, default=5, help="pairs of edits of each program")
    parser.add_argument("--share", type=float, default=1.0, help="of wrong ones, to be looked into")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="JSON lines of the programs that are done")
    parser.add_argument("--list", action="store_true", help="print what each is told")
    options = parser.parse_args()
    programs = list(trial(options))
    found = [each for program in programs for each in program.mutants]
    refused = [each.name for each in programs if not each.passed]
    print(f"right programs: {len(programs)}, refused {len(refused)} {' '.join(refused)}")
    columns = ("passed", "refused", "mistake", "change", "fact", "error", "nothing")
    print(f"{'drill':<26}{'wrong':>7}" + "".join(f"{name:>9}" for name in (*columns, "false")))
    for drill in [*sorted({each.drill for each in found}), "all"]:
        these = [each for each in found if drill in {each.drill, "all"}]
        counts = collections.Counter(each.told for each in these)
        row = "".join(f"{counts[name]:>9}" for name in columns)
        print(f"{drill:<26}{len(these):>7}{row}{sum(each.is_false for each in these):>9}")
    for each in found:
        if each.told == "passed" or (options.list and each.told != "refused"):
            print(f"{each.told}  {each.drill}: {each.edits}  {each.sentences}")
    return any(each.told == "passed" for each in found)


if __name__ == "__main__":
    sys.exit(main())
