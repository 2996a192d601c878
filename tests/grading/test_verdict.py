"""Reports as data: they come back from JSON and from a pickle as they were, and have a schema."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docs.report_schema import FILE, schema_text
from studyattn.bundled import content_dir
from studyattn.errors import InputError
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import grade
from studyattn.grading.misconception import Mistake, singles
from studyattn.grading.mutation_report import ReferenceCarrier
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import SCHEMA, Counterexample, Report, refusal

REPOSITORY = Path(__file__).parent.parent.parent
SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())


def reported(name: str, mistake: Mistake | None = None) -> Report:
    drill = load_drill(content_dir() / "attention" / "drills" / name)
    change = {} if mistake is None else mistake.change()
    return grade(drill, SUBMISSION, ReferenceCarrier(drill, change), seed=1)


def mistakes_of(name: str) -> list[Mistake]:
    drill = load_drill(content_dir() / "attention" / "drills" / name)
    return list(singles(drill.misconceptions))[:3]


def passed_through_text(report: Report) -> Report:
    return Report.from_json(json.dumps(report.to_json(), allow_nan=False))


@pytest.mark.parametrize("name", ["attention", "kv-cache", "parameter-count", "worked-example"])
def test_a_report_comes_back_as_it_was(name: str) -> None:
    for mistake in (None, *mistakes_of(name)):
        report = reported(name, mistake)
        assert report.passed is (mistake is None)
        assert passed_through_text(report) == report
        assert Report.from_json(report.to_json()) == report
        assert pickle.loads(pickle.dumps(report)) == report


def test_numbers_that_json_lacks_come_back_too() -> None:
    shown = Counterexample({"x": [-np.inf, 0.5]}, [[1.0, np.nan]], [[np.inf, 2]], "row 1 of 1")
    report = replace(reported("attention"), counterexample=shown)
    again = passed_through_text(report).counterexample
    assert again is not None
    assert again.inputs == shown.inputs
    assert np.array_equal(again.expected, shown.expected, equal_nan=True)
    assert again.got == shown.got
    words = replace(shown, expected=[1.0], got="it raised nan")
    assert passed_through_text(replace(report, counterexample=words)).counterexample == words


def test_what_is_derived_follows_the_rest() -> None:
    report = reported("attention", mistakes_of("attention")[0])
    printed: dict[str, Any] = report.to_json()
    assert printed["schema"] == SCHEMA
    (mistake, *_) = printed["diagnosis"][0]["mistakes"]
    assert printed["diagnosis"][0]["misconceptions"] == [mistake["id"]]
    assert printed["diagnosis"][0]["title"] == mistake["title"]
    assert Report.from_json({**printed, "passed": True}) == report
    assert not Report.from_json({**printed, "passed": True}).passed


def test_a_report_of_the_first_version_is_read() -> None:
    """It had counts only in words, and no formula for each mistake."""
    report = reported("attention", mistakes_of("attention")[0])
    kept: dict[str, Any] = report.to_json()
    for diagnosis in kept["diagnosis"]:
        del diagnosis["explained"], diagnosis["failed"]
        for mistake in diagnosis["mistakes"]:
            del mistake["formula"]
    (read, *_), (written, *_) = Report.from_json(kept).diagnosis, report.diagnosis
    assert read.explained == read.failed == written.explained > 0
    assert read.title == written.title


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"verdict": "excellent"},
        {"cases": [{"name": 3, "passed": True}]},
        {"seconds": "long"},
        {"counterexample": {"inputs": {}}},
        {"diagnosis": [{"mistakes": [], "explained": 1, "failed": 1}]},
    ],
)
def test_what_is_no_report_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="does not have schema 1"):
        Report.from_json({**reported("attention").to_json(), **change})


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", b"\xff"])
def test_text_that_is_no_report_is_refused(text: str | bytes) -> None:
    with pytest.raises(InputError, match="does not have schema 1"):
        Report.from_json(text)


def test_the_schema_in_the_documentation_is_current() -> None:
    assert (REPOSITORY / FILE).read_text("utf-8") == schema_text()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jax", "jax comes with attention ready-made: use numpy or torch alone"),
        ("softmax", "softmax solves the exercise by itself"),
        ("torch.exp", "torch.exp cannot be used: the file is graded with numpy arrays"),
    ],
)
def test_why_a_name_is_refused(name: str, told: str) -> None:
    assert refusal(name) == told
