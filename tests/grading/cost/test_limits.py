"""Limits at two sizes: what grows too fast, and what a limit's sentence may claim."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import CallPlan, Finished, Outcome, Usage
from studyattn.grading.drawn_case import draw_case
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report

SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())


def drill_named(name: str) -> Drill:
    return load_drill(content_dir() / "attention" / "drills" / name)


class Costing(ReferenceCarrier):
    """The right answers, at costs that are given for the measured questions in order."""

    def __init__(self, drill: Drill, *used: Usage) -> None:
        super().__init__(drill)
        self.used = used

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        left = iter(self.used)
        return tuple(
            dataclasses.replace(outcome, usage=next(left))
            if isinstance(outcome, Finished) and _is_measured(program)
            else outcome
            for program, outcome in zip(programs, super().run(submission, programs), strict=True)
        )


def _is_measured(program: CallPlan) -> bool:
    return any(getattr(step, "measured", False) for step in program.steps)


def graded(drill: Drill, *flops: int) -> Report:
    """The report where only the first and the last of the costed cases are asked."""
    _, *between, _ = [each for each in drill.cases if each.costed]
    drill = dataclasses.replace(
        drill, cases=tuple(each for each in drill.cases if each not in between)
    )
    used = [Usage(each, 1) for each in flops]
    return grade(drill, SUBMISSION, Costing(drill, *used), seed=5)


@pytest.mark.parametrize(("name", "small", "large"), [("linear-attention", 256, 1024)])
def test_growth_is_judged_where_both_sizes_are_cheap(name: str, small: int, large: int) -> None:
    drill = drill_named(name)
    times = large // small
    assert graded(drill, 10_000, 10_000 * times).passed
    report = graded(drill, 10_000, 10_000 * times**2)
    assert not report.passed
    (failed,) = [each for each in report.cases if not each.passed]
    assert "they grow as n^2.0" in failed.message
    assert report.diagnosis[0].misconceptions == ("linear-quadratic",)


@pytest.mark.parametrize("flops", [(10**9, 10), (10, 10**9)])
def test_each_size_has_its_limit(flops: tuple[int, int]) -> None:
    report = graded(drill_named("linear-attention"), *flops)
    assert sum(not each.passed for each in report.cases) == 1
    assert report.cost is not None
    assert report.cost.flops == 10**9


@pytest.mark.parametrize(
    ("flops", "names"),
    [
        ((5_000_000, 5_000_000), ()),  # as much at each position: nothing of the past is done again
        ((5_000_000, 5_020_000), ()),  # attending grows with the position
        ((300_000, 600_000), ("cache-recomputes",)),
    ],
)
def test_the_past_is_recomputed_only_if_work_grows_with_it(
    flops: tuple[int, int], names: tuple[str, ...]
) -> None:
    report = graded(drill_named("kv-cache"), *flops)
    assert not report.passed
    assert tuple(name for each in report.diagnosis for name in each.misconceptions) == names


@pytest.mark.parametrize(("made", "passes"), [(86_999, True), (87_000, False)])
def test_what_a_product_of_matrices_makes_is_limited_whatever_it_costs(
    made: int, *, passes: bool
) -> None:
    drill = drill_named("lora")
    (many,) = [each for each in drill.cases if each.name == "cost, many tokens"]
    report = grade(
        dataclasses.replace(drill, spaces=(), cases=(many,)), SUBMISSION, Making(drill, made), 5
    )
    assert report.passed is passes
    if not passes:
        assert report.diagnosis[0].misconceptions == ("low-rank-materialised",)


def test_memory_is_followed_only_where_the_table_of_scores_would_be_over_the_limit() -> None:
    """Following Python's memory takes two thirds of the time of such a call."""
    drill = drill_named("flash-attention")
    costed = [each for each in drill.cases if each.costed]
    followed = [each.name for each in costed if draw_case(drill, each, (5,)).program.memory]
    assert followed == ["cost of more keys"]


class Making(ReferenceCarrier):
    """The right answers, with a product of matrices of so many entries on the way."""

    def __init__(self, drill: Drill, made: int) -> None:
        super().__init__(drill)
        self.made = made

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        return tuple(
            dataclasses.replace(outcome, usage=Usage(1, self.made, self.made))
            if isinstance(outcome, Finished) and _is_measured(program)
            else outcome
            for program, outcome in zip(programs, super().run(submission, programs), strict=True)
        )


@pytest.mark.parametrize(
    ("name", "mistake", "told"),
    [
        ("int8-cache", "int8-floats-kept", "31,250.0 instead of 15,386.5 for each token"),
        ("quantized-linear", "quantize-floats-kept", "3.8 instead of 1.9 for each weight"),
        ("sink-cache", "sinks-grow", "2,000,000 bytes are still held after the calls, but 137,152"),
        ("paged-cache", "paged-rows-kept", "2,000,000 bytes are still held after the calls"),
    ],
)
def test_what_is_kept_has_its_limit_and_is_told_in_bytes(
    name: str, mistake: str, told: str
) -> None:
    drill = load_drill(content_dir() / "serving" / "drills" / name)

    def asked(kept: int) -> Report:
        return grade(drill, SUBMISSION, Costing(drill, *[Usage(1, 1, kept=kept)] * 9), seed=5)

    assert asked(100_000).passed
    report = asked(2_000_000)
    assert any(told in each.message for each in report.cases if not each.passed)
    assert [each.misconceptions for each in report.diagnosis] == [(mistake,)]
