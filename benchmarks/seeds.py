"""Grades the labelled submissions at many seeds: is one that is right ever refused, or the reverse?

    python -m benchmarks.seeds --seeds 20
    python -m benchmarks.seeds --seeds 20 --right

A verdict is taken at a seed of its own, so a case that is too weak for some inputs, or a tolerance
too tight for some, shows in one attempt of many. Here every submission is graded at every seed. Of
right ones it also says how near they came to what is allowed, at the worst of all seeds.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from studyattn.bundled import content_dir
from studyattn.grading import Backend, Drill, Submission, drill_folders, load_drill
from studyattn.grading.backend_choice import choose
from studyattn.grading.judge import Executor, ask, draw
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.mutation_report import corpus
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import files_beside
from tests.corpus import submissions as labelled

AT_ONCE = 2
Sides = Mapping[str, bool]
BOTH: Sides = {"right": True, "wrong": False}
NEAR = 0.3
"""The share of what is allowed that no right submission should take."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One submission at one seed. `share` is its largest error, of what was allowed there."""

    name: str
    seed: int
    right: bool
    passed: bool
    share: float
    reason: str = ""
    """Why a right one was refused: the first case that failed, and how."""

    @property
    def astray(self) -> bool:
        return self.passed is not self.right


def grade_share(folders: Sequence[Path], seeds: Sequence[int], sides: Sides) -> list[Graded]:
    """Every submission to the drills in `folders`, at every seed; a line is printed after each."""
    drills = [load_drill(folder) for folder in folders]
    graded: list[Graded] = []
    with Runner(Backend.TORCH) as torch, Runner(Backend.NUMPY) as numpy:
        carriers: Mapping[str, Executor] = {Backend.TORCH: torch, Backend.NUMPY: numpy}
        for seed in seeds:
            for drill in drills:
                here = list(_grade_drill(drill, carriers, seed, sides))
                share = max((each.share for each in here if each.right), default=0.0)
                print(
                    f"  seed {seed}, {drill.id}: {sum(each.astray for each in here)} of"
                    f" {len(here)} astray, largest error {share:.2f} of what is allowed",
                    *(each.name for each in here if each.astray),
                    flush=True,
                )
                graded += here
    return graded


def _grade_drill(
    drill: Drill, carriers: Mapping[str, Executor], seed: int, sides: Sides
) -> Iterator[Graded]:
    drawn = {backend: draw(drill, backend, "cpu", seed) for backend in drill.backends}
    submissions = [
        (path, right) for side, right in sides.items() for path in corpus(labelled(drill.id) / side)
    ]
    for path, right in submissions:
        source = path.read_bytes()
        beside = files_beside(path, source)
        backend = choose(drill.id, source, drill.entries, drill.backends, beside=beside).backend
        submission = Submission(path.name, source, backend, drill.entries, drill.forbidden, beside)
        answers = ask(drill, submission, carriers[backend], drawn[backend].questions)
        name = "/".join(path.parts[-3:])
        passed = all(entry.passed for entry in answers)
        failed = next((each for each in answers if not each.passed), None)
        reason = f"{failed.question.case.name}: {failed.outcome}" if failed and right else ""
        yield Graded(name, seed, right, passed, _largest_share(answers), reason[:200])


def _largest_share(answers: Sequence[JudgedCase]) -> float:
    """Zero where a variant of the reference was followed: its errors are more than rounding."""
    if any(entry.variant for entry in answers):
        return 0.0
    return max(
        (
            part.max_error / part.leaf.tolerance
            for entry in answers
            for part in entry.comparisons
            if part.max_error is not None and part.leaf.tolerance
        ),
        default=0.0,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("drills", nargs="*", help="ids of drills; all when none is named")
    parser.add_argument("--seeds", type=int, default=5, help="seeds to try")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--right", action="store_true", help="grade the right ones alone")
    given = parser.parse_args()
    sides = {"right": True} if given.right else BOTH
    every = drill_folders(content_dir() / "attention")
    folders = [each for each in every if not given.drills or each.name in given.drills]
    seeds = range(given.first, given.first + given.seeds)
    shares = [folders[first::AT_ONCE] for first in range(min(AT_ONCE, len(folders)))]
    with ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("spawn")) as processes:
        graded = list(
            itertools.chain.from_iterable(
                processes.map(grade_share, shares, itertools.repeat(seeds), itertools.repeat(sides))
            )
        )
    return _tell(graded)


def _tell(graded: Sequence[Graded]) -> int:
    right = [each for each in graded if each.right]
    wrong = [each for each in graded if not each.right]
    for each in graded:
        if each.astray:
            what = "right, and refused" if each.right else "wrong, and accepted"
            print(f"  {each.name}: {what}, seed {each.seed} {each.reason}")
    nearest = max(right, key=lambda each: each.share)
    print(f"  right refused: {sum(each.astray for each in right)} of {len(right)}")
    print(f"  wrong accepted: {sum(each.astray for each in wrong)} of {len(wrong)}")
    print(
        f"  the largest error of a right one: {nearest.share:.2f} of what is allowed"
        f" (at most {NEAR}), {nearest.name}, seed {nearest.seed}"
    )
    return int(any(each.astray for each in graded) or nearest.share > NEAR)


if __name__ == "__main__":
    sys.exit(main())
