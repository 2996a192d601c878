"""The verdict before the diagnosis: reports that grow, and agree with the one that is complete."""

from __future__ import annotations

import dataclasses

import pytest

from studyattn.bundled import content_dir
from studyattn.grading import judge
from studyattn.grading.drill import Drill, case
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade, reports
from studyattn.grading.misconception import Mistake
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report

SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())


@pytest.fixture(scope="module")
def drill() -> Drill:
    return load_drill(content_dir() / "attention" / "drills" / "attention")


def with_mistakes(drill: Drill, *identifiers: str) -> ReferenceCarrier:
    made = [drill.misconception(each) for each in identifiers]
    mistake = Mistake(tuple(made), tuple(each.ways[0] for each in made))
    return ReferenceCarrier(drill, mistake.change())


def large(drill: Drill) -> Drill:
    """The same drill, asked under no condition whose question fits on a screen."""
    only = case("large scores", spread=100.0, batch=(2,), m=5, n=6, d=4, d_v=3)
    return dataclasses.replace(drill, spaces=(), cases=(only,))


def verdict_of(report: Report) -> object:
    return (report.verdict, report.message, report.line, report.cases, report.cost, report.seed)


def test_a_verdict_that_needs_no_diagnosis_is_complete(drill: Drill) -> None:
    (only,) = reports(drill, SUBMISSION, ReferenceCarrier(drill), seed=1)
    assert (only.passed, only.complete) == (True, True)


def test_the_verdict_comes_first_and_is_final(drill: Drill) -> None:
    stages = list(reports(drill, SUBMISSION, with_mistakes(drill, "scale-missing"), seed=1))
    first, last = stages[0], stages[-1]
    assert [each.complete for each in stages] == [False] * (len(stages) - 1) + [True]
    assert first.diagnosis == ()
    assert first.counterexample == last.counterexample is not None
    assert last.diagnosis[0].misconceptions == ("scale-missing",)
    assert len({repr(verdict_of(each)) for each in stages}) == 1
    whole = grade(drill, SUBMISSION, with_mistakes(drill, "scale-missing"), seed=1)
    assert dataclasses.replace(whole, seconds=0.0) == dataclasses.replace(last, seconds=0.0)


def test_the_mistake_is_named_before_a_smaller_input_is_asked(drill: Drill) -> None:
    """Overflow shows in no small question, so that one has to be asked anew."""
    first, named, last = reports(
        large(drill), SUBMISSION, with_mistakes(large(drill), "softmax-unstable"), seed=1
    )
    assert (first.diagnosis, first.counterexample, named.counterexample) == ((), None, None)
    assert named.diagnosis == last.diagnosis != ()
    assert last.counterexample is not None


def test_after_the_budget_the_input_is_shown_while_the_search_goes_on(
    drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "BUDGET", 0.0)
    first, shown, last = reports(
        large(drill), SUBMISSION, with_mistakes(large(drill), "softmax-unstable"), seed=1
    )
    assert first.counterexample is None
    assert shown.counterexample is not None
    assert repr(shown.counterexample) == repr(last.counterexample)  # its NaN equals none
    assert (shown.diagnosis, shown.complete) == ((), False)
    assert last.diagnosis[0].misconceptions == ("softmax-unstable",)
