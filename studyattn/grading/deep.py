"""A deep pass: look on for a question that code which has passed answers wrongly.

A verdict asks some fifty questions of a drill's domain; this asks as many as there is time for.
First come those that another submission once failed, then the ends that take long, then what the
code itself points at: where a number stands in it, it may do something else on the other side. The
rest is drawn from anywhere, and near what came closest to the tolerance.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from studyattn.errors import DrillError
from studyattn.grading import judge
from studyattn.grading.call_plan import Layout
from studyattn.grading.drawn_case import DrawnCase, draw_case, held, small_cases
from studyattn.grading.drill import Case, Drill
from studyattn.grading.judged_case import JudgedCase
from studyattn.grading.submission import Submission, tree_of
from studyattn.grading.verdict import Report, Verdict

SECONDS = 60.0
"""For how long is looked, unless another time is given."""

BATCH_SECONDS = 0.4
"""Time in which the questions of one run are drawn."""

BATCH_ELEMENTS = 1 << 20
"""Numbers in the questions of one run, which are kept several times until it is judged."""

FIRST_ASKED = 8
"""Counterexamples of earlier submissions that every attempt is asked."""

NEAR = 0.5
"""How often a question is drawn near the one that came closest to its tolerance."""


def search(
    drill: Drill, submission: Submission, carrier: judge.Executor, report: Report, seconds: float
) -> tuple[Report, DrawnCase | None]:
    """Return the report with a question that is answered wrongly, and that; or as it is, and None.

    Only a wrong answer or an error counts: right code may run out of time or memory where a
    question is large.
    """
    deadline = time.monotonic() + seconds
    asked = submission.for_drill(drill.id, drill.entries, drill.forbidden)
    search = _Search(drill, submission, report.seed)
    while time.monotonic() < deadline:
        questions = search.batch()
        if not questions:
            break
        for answered in judge.ask(drill, asked, carrier, questions):
            search.seen(answered)
            if not answered.passed:
                told = _told(drill, submission, carrier, report, answered.question)
                if told is not None:
                    return told, answered.question
        del questions, answered  # before the next ones are drawn: they are large
    return report, None


class _Search:
    """Draws the questions of one deep pass, steered by how close an answer was."""

    def __init__(self, drill: Drill, submission: Submission, seed: int) -> None:
        self.drill = drill
        self.backend = str(submission.backend)
        self.generator = np.random.default_rng([seed, 1])
        self.numbers = itertools.count()
        self.seed = seed
        self.closest: tuple[float, Case | None] = 0.0, None
        self.cases = self._cases(numbers_in(submission.source))

    def batch(self) -> list[DrawnCase]:
        """The next questions, as many as are drawn in a moment; none for a drill without domain."""
        deadline = time.monotonic() + BATCH_SECONDS
        questions: list[DrawnCase] = []
        elements = 0
        for case in self.cases:
            if case.gradients and self.backend != "torch":
                continue
            seed = (self.seed, next(self.numbers), 2)
            with contextlib.suppress(DrillError):  # a pass stands where a pack cannot ask on
                questions.append(draw_case(self.drill, held(case, self.backend), seed))
                elements += questions[-1].elements
            if time.monotonic() > deadline or elements > BATCH_ELEMENTS:
                break
        return questions

    def seen(self, answered: JudgedCase) -> None:
        """Remember the question whose answer came closest to what is allowed."""
        worst = max((each.share for each in answered.comparisons), default=0.0)
        if worst > self.closest[0]:
            self.closest = worst, answered.question.case

    def _cases(self, numbers: list[float]) -> Iterator[Case]:
        if self.drill.domain is None:
            return
        yield from self.drill.corners(deep=True)
        yield from self.drill.around(numbers)
        while True:
            near = self.closest[1] if self.generator.random() < NEAR else None
            yield self.drill.case_anywhere(self.generator, deep=True, near=near)


def numbers_in(source: bytes) -> list[float]:
    """Return the numbers that stand in a text of Python, without what is in every program."""
    try:
        tree = tree_of(source)
    except (SyntaxError, ValueError):
        return []
    constants = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant)]
    found = {each for each in constants if isinstance(each, int | float)}
    return sorted(found - {0, 1, -1, 2})


def _told(
    drill: Drill,
    submission: Submission,
    carrier: judge.Executor,
    report: Report,
    question: DrawnCase,
) -> Report | None:
    """Return the report on the question and small ones alone; None where it is not failed again."""
    small = [
        draw_case(drill, case, (report.seed, place))
        for place, case in enumerate(small_cases(drill))
    ]
    drawn = judge.Drawn(report.seed, (*small, question))
    told = judge.grade(drill, submission, carrier, drawn=drawn)
    if told.verdict not in {Verdict.WRONG, Verdict.ERROR}:
        return None
    failed = tuple(each for each in told.cases if not each.passed)
    return dataclasses.replace(told, cases=(*report.cases, *failed))


# ── counterexamples that are kept ────────────────────────────────────────────────────────────────


class Kept:
    """The questions that submissions failed in deep passes, in a file for each drill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, drill: Drill, question: DrawnCase) -> None:
        """Keep a question for good."""
        self.folder.mkdir(parents=True, exist_ok=True)
        case = dataclasses.asdict(question.case)
        with self._file(drill).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"case": case, "seed": question.seed}) + "\n")

    def questions(self, drill: Drill, backend: str) -> tuple[DrawnCase, ...]:
        """Draw the last ones again. A question that the drill does not ask any more is left out."""
        file = self._file(drill)
        lines = file.read_text("utf-8").splitlines() if file.is_file() else []
        questions = []
        for line in lines[-FIRST_ASKED:]:
            read = json.loads(line)
            try:
                case = held(_case(read["case"]), backend)
                questions.append(draw_case(drill, case, tuple(read["seed"])))
            except (DrillError, TypeError):
                continue
        return tuple(questions)

    def _file(self, drill: Drill) -> Path:
        return self.folder / f"{drill.id}.jsonl"


def _case(read: dict[str, Any]) -> Case:
    """The case that was written as JSON, which has no tuples."""
    sizes = {name: tuple(it) if isinstance(it, list) else it for name, it in read["sizes"].items()}
    fields = {**read, "sizes": sizes, "keywords": tuple(read["keywords"])}
    return Case(**{**fields, "layout": Layout(read["layout"])})
