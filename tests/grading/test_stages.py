"""The verdict before the diagnosis: reports that grow, and agree with the one that is complete."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from studyattn.bundled import content_dir
from studyattn.grading import judge
from studyattn.grading.diagnosis.search import diagnose
from studyattn.grading.drill import Drill, case
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade, reports
from studyattn.grading.misconception import Mistake
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Diagnosis, Report

SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())


@pytest.fixture(scope="module")
def drill() -> Drill:
    return load_drill(content_dir() / "attention" / "drills" / "attention")


def with_mistakes(drill: Drill, *identifiers: str) -> ReferenceCarrier:
    made = [each for each in drill.misconceptions if each.id in identifiers]
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


def test_the_mistake_is_named_before_a_smaller_input_is_asked(
    drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Overflow shows in no small question, so that one has to be asked anew."""
    monkeypatch.setattr(judge, "BUDGET", 60.0)  # however busy the machine is
    first, named, last = reports(
        large(drill), SUBMISSION, with_mistakes(large(drill), "softmax-unstable"), seed=1
    )
    assert (first.diagnosis, first.counterexample, named.counterexample) == ((), None, None)
    assert named.diagnosis == last.diagnosis != ()
    assert last.counterexample is not None


def test_a_certain_name_is_told_while_others_are_tried(
    drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the first one of all names, and its alternatives follow."""
    tried = []

    def counted(*given: Any) -> Iterator[tuple[Diagnosis, ...] | None]:
        for known in diagnose(*given):
            tried.append(known)
            yield known

    monkeypatch.setattr("studyattn.grading.judge.diagnose", counted)
    *_, last = reports(drill, SUBMISSION, with_mistakes(drill, "scale-missing"), seed=1)
    first = next(place for place, known in enumerate(tried) if known)
    assert first < len(tried) / 2
    assert (tried[first] or ())[:1] == last.diagnosis[:1]


def test_what_is_foreseen_changes_nothing(drill: Drill) -> None:
    drawn = [judge.draw(drill, "numpy", "cpu", seed=1) for _ in range(2)]
    judge.foresee(drill, drawn[1])
    assert any(question.predictions for question in drawn[1].questions)
    for identifier in ("scale-missing", "softmax-wrong-axis"):
        carrier = with_mistakes(drill, identifier)
        now, foreseen = (grade(drill, SUBMISSION, carrier, drawn=each) for each in drawn)
        assert foreseen.diagnosis == now.diagnosis
        assert foreseen.diagnosis[0].misconceptions == (identifier,)


def test_after_the_budget_the_input_is_shown_while_the_search_goes_on(
    drill: Drill, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "BUDGET", 0.0)
    first, shown, *_, last = reports(
        large(drill), SUBMISSION, with_mistakes(large(drill), "softmax-unstable"), seed=1
    )
    assert first.counterexample is None
    assert shown.counterexample is not None
    assert repr(shown.counterexample) == repr(last.counterexample)  # its NaN equals none
    assert (shown.diagnosis, shown.complete) == ((), False)
    assert last.diagnosis[0].misconceptions == ("softmax-unstable",)


def test_a_mistake_that_explains_the_values_is_named_without_another_run() -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / "single-query")
    carrier = with_mistakes(drill, "scale-by-d")
    runs = mock.Mock(wraps=carrier.run)
    with mock.patch.object(ReferenceCarrier, "run", runs):
        named = next(each for each in reports(drill, SUBMISSION, carrier, seed=1) if each.is_named)
    assert named.diagnosis[0].misconceptions == ("scale-by-d",)
    assert runs.call_count == 1
