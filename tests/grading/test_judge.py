"""What the judge makes of answers: in-process submissions that are the reference, or nearly."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import ArrayOutput, CallPlan, Ended, Finished, Outcome, Raised
from studyattn.grading.drill import Drill
from studyattn.grading.drill_loader import drill_folders, load_drill
from studyattn.grading.judge import grade
from studyattn.grading.misconception import Mistake, singles
from studyattn.grading.mutation_report import ReferenceCarrier, check_mutants
from studyattn.grading.report_text import format_report
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report, Verdict

DRILLS = drill_folders(content_dir() / "attention")
SUBMISSION = Submission("mine.py", b"", Backend.NUMPY, ())


@pytest.fixture(scope="module")
def drill() -> Drill:
    return load_drill(content_dir() / "attention" / "drills" / "attention")


class Altered(ReferenceCarrier):
    """The right answers, each outcome passed through a function."""

    def __init__(self, drill: Drill, alter: Callable[[Finished], Outcome]) -> None:
        super().__init__(drill)
        self.alter = alter

    def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
        outcomes = super().run(submission, programs)
        return tuple(
            self.alter(outcome) if isinstance(outcome, Finished) else outcome
            for outcome in outcomes
        )


def altered_values(change: Callable[[Any], Any]) -> Callable[[Finished], Finished]:
    def alter(outcome: Finished) -> Finished:
        registers = {
            name: dataclasses.replace(value, values=change(value.values))
            for name, value in outcome.registers.items()
            if isinstance(value, ArrayOutput)
        }
        return dataclasses.replace(outcome, registers=registers)

    return alter


def graded(drill: Drill, alter: Callable[[Finished], Outcome]) -> Report:
    return grade(drill, SUBMISSION, Altered(drill, alter), seed=3)


def test_the_reference_passes_every_drill() -> None:
    for folder in DRILLS:
        drill = load_drill(folder)
        report = grade(drill, SUBMISSION, ReferenceCarrier(drill), seed=1)
        assert report.passed, (folder.name, report.cases)


@pytest.mark.parametrize(
    "change",
    [
        lambda values: np.full_like(values, np.nan),
        lambda values: np.where(np.arange(values.shape[-1]) == 0, np.nan, values),
        lambda values: np.full_like(values, np.inf),
        lambda values: values[..., :1],  # would broadcast
        lambda values: values[None],
        lambda values: values * 1.001,
        np.zeros_like,
    ],
)
def test_what_is_not_the_answer_is_wrong(drill: Drill, change: Callable[[Any], Any]) -> None:
    report = graded(drill, altered_values(change))
    assert report.verdict is Verdict.WRONG
    assert report.counterexample is not None


def test_nan_is_said_to_be_nan(drill: Drill) -> None:
    report = graded(drill, altered_values(lambda values: np.full_like(values, np.nan)))
    assert report.cases[0].message == "168 NaN among 168 entries"


def with_dtype(outcome: Finished, dtype: str) -> Finished:
    registers = {
        name: dataclasses.replace(value, dtype=dtype)
        for name, value in outcome.registers.items()
        if isinstance(value, ArrayOutput)
    }
    return dataclasses.replace(outcome, registers=registers)


def widened(outcome: Finished) -> Finished:
    return with_dtype(outcome, "float64")


def narrowed_to_float32(outcome: Finished) -> Finished:
    return with_dtype(outcome, "float32")


def test_a_wider_dtype_passes_with_a_remark(drill: Drill) -> None:
    report = graded(drill, widened)
    assert report.passed
    assert "float64 where the inputs are float32" in report.remarks[0]


def test_a_narrower_dtype_is_wrong(drill: Drill) -> None:
    report = graded(drill, narrowed_to_float32)
    assert not report.passed
    assert any("dtype float32, expected float64" in case.message for case in report.cases)
    assert not any("inputs are float64" in remark for remark in report.remarks)


def test_a_mistake_is_named_beside_a_wider_dtype(drill: Drill) -> None:
    mistake = next(it for it in singles(drill.misconceptions) if it.ids == ("scale-missing",))

    class Widening(ReferenceCarrier):
        def run(self, submission: Submission, programs: Sequence[CallPlan]) -> tuple[Outcome, ...]:
            outcomes = super().run(submission, programs)
            return tuple(widened(each) if isinstance(each, Finished) else each for each in outcomes)

    report = grade(drill, SUBMISSION, Widening(drill, mistake.change()), seed=3)
    assert not report.passed
    assert "float64 where the inputs are float32" in report.remarks[0]
    assert report.diagnosis[0].misconceptions == ("scale-missing",)
    assert report.diagnosis[0].explained == report.diagnosis[0].failed


def test_an_answer_that_is_missing_is_wrong(drill: Drill) -> None:
    assert not graded(drill, lambda outcome: dataclasses.replace(outcome, registers={})).passed


def test_changed_inputs_fail_though_values_are_right(drill: Drill) -> None:
    report = graded(drill, lambda outcome: dataclasses.replace(outcome, changed_inputs=("0.1",)))
    assert report.verdict is Verdict.WRONG
    assert report.diagnosis[0].misconceptions == ("input-mutated",)
    assert "argument 2 of attention" in report.cases[0].message


def test_results_written_over_fail_though_values_are_right(drill: Drill) -> None:
    report = graded(
        drill, lambda outcome: dataclasses.replace(outcome, changed_results=("result",))
    )
    assert report.verdict is Verdict.WRONG
    assert report.diagnosis[0].misconceptions == ("result-overwritten",)
    assert report.cases[0].message == (
        "what the first call returned was changed by a later call, or by a change of its inputs"
    )


def test_two_answers_to_one_call(drill: Drill) -> None:
    generator = np.random.default_rng(0)
    report = graded(
        drill, altered_values(lambda values: values * generator.uniform(0.5, 1.5, values.shape))
    )
    assert report.diagnosis[0].misconceptions == ("not-deterministic",)


@pytest.mark.parametrize("away", [0.05, 0.3])
def test_a_wrong_formula_is_not_called_coarse_arithmetic(drill: Drill, away: float) -> None:
    """Off up and down alike, as rounding is, and by less than inputs in bfloat16 could explain."""

    def swung(values: Any) -> Any:
        return values * (1 + away * np.sin(np.arange(values.size).reshape(values.shape)))

    report = graded(drill, altered_values(swung))
    assert report.verdict is Verdict.WRONG
    assert all("precision-lost" not in entry.misconceptions for entry in report.diagnosis)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Raised("ValueError", "no", 3, 0), Verdict.ERROR),
        (Raised("ForbiddenError", "no", 3, 0, forbidden="softmax"), Verdict.REFUSED),
        (Ended("timeout", "10 s"), Verdict.TIMEOUT),
        (Ended("memory", "2 GiB"), Verdict.MEMORY),
        (Ended("crashed", "signal 11"), Verdict.CRASHED),
    ],
)
def test_how_it_ended_is_the_verdict(drill: Drill, outcome: Outcome, verdict: Verdict) -> None:
    assert graded(drill, lambda _: outcome).verdict is verdict


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b"import numpy as np", "; the inputs were torch arrays, but the file is in numpy"),
        (b"import numpy\nimport torch", ""),
        (b"# backend: torch\nimport numpy", ""),
        (b"", ""),
    ],
)
def test_arrays_of_a_library_that_the_file_does_not_import(
    drill: Drill, source: bytes, told: str
) -> None:
    mine = Submission("mine.py", source, Backend.TORCH, ())
    carrier = Altered(drill, lambda _: Raised("TypeError", "no", 3, 0))
    message = grade(drill, mine, carrier, seed=3).message
    assert message == f"TypeError: no{told}"
    once = grade(drill, mine, ReferenceCarrier(drill), seed=3)
    assert not once.message


def test_numpy_code_that_fails_is_not_called_torch_for_a_method(drill: Drill) -> None:
    source = b"import numpy as np\n\ndef attention(q, k, v):\n    return (np ** 0.5).exp(q)\n"
    mine = Submission("mine.py", source, Backend.NUMPY, ("attention",))
    carrier = Altered(drill, lambda _: Raised("TypeError", "no", 4, 0))
    assert grade(drill, mine, carrier, seed=3).message == "TypeError: no"


def test_a_seed_repeats_the_questions(drill: Drill) -> None:
    reports = [
        grade(drill, SUBMISSION, Altered(drill, altered_values(np.negative)), seed)
        for seed in (11, 11, 12)
    ]
    first, again, other = (report.to_json()["counterexample"] for report in reports)
    assert first == again
    assert first != other


def test_two_mistakes_are_named_together(drill: Drill) -> None:
    chosen = (
        next(each for each in drill.misconceptions if each.id == "scale-missing"),
        next(each for each in drill.misconceptions if each.id == "values-are-keys"),
    )
    mistake = Mistake(chosen, tuple(each.ways[0] for each in chosen))
    report = grade(drill, SUBMISSION, ReferenceCarrier(drill, mistake.change()), seed=5)
    assert set(report.diagnosis[0].misconceptions) == {"scale-missing", "values-are-keys"}


def test_a_counterexample_fits_on_a_screen_and_marks_what_is_wrong(drill: Drill) -> None:
    mistake = Mistake(
        (next(each for each in drill.misconceptions if each.id == "softmax-wrong-axis"),),
        (next(each for each in drill.misconceptions if each.id == "softmax-wrong-axis").ways[0],),
    )
    report = grade(drill, SUBMISSION, ReferenceCarrier(drill, mistake.change()), seed=5)
    shown = report.counterexample
    assert shown is not None
    assert set(shown.inputs) == {"q", "k", "v"}
    assert np.asarray(shown.inputs["q"]).size <= 4
    assert np.asarray(shown.wrong).any()
    assert shown.where.startswith("query 1 of")
    assert any("*" in line.text for line in format_report(report))


def test_what_is_shown_as_printed_was_printed_on_the_input_shown(drill: Drill) -> None:
    def speak(outcome: Finished) -> Finished:
        (value,) = outcome.registers.values() if len(outcome.registers) == 1 else (None,)
        shape = value.values.shape if isinstance(value, ArrayOutput) else None
        return dataclasses.replace(outcome, printed=f"{shape}\x1b[2J")

    right = graded(drill, speak)
    assert right.printed == "(1, 1)"
    off_by_one = altered_values(lambda values: values + 1)
    wrong = graded(drill, lambda outcome: speak(off_by_one(outcome)))
    assert wrong.counterexample is not None
    assert wrong.printed == str(np.shape(wrong.counterexample.got))


def test_mere_coincidence_is_no_diagnosis(drill: Drill) -> None:
    # Where the softmax overflows, some codes give zeros; one that only gives zeros has no such
    # mistake.
    assert not graded(drill, altered_values(np.zeros_like)).diagnosis


def test_a_report_is_json_by_the_contract(drill: Drill) -> None:
    report = graded(drill, altered_values(lambda values: np.full_like(values, np.nan)))
    printed = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert {
        "drill", "verdict", "passed", "backend", "device", "cases", "diagnosis",
        "counterexample", "remarks", "cost", "isolation", "seconds",
    } <= set(printed)  # fmt: skip
    assert set(printed["cases"][0]) == {"name", "passed", "message", "max_error", "tolerance"}
    shown = {"inputs", "expected", "got", "where", "wrong", "asked", "python"}
    assert set(printed["counterexample"]) == shown
    assert np.asarray(printed["counterexample"]["wrong"]).all()


@pytest.mark.parametrize(
    "folder",
    [folder for folder in DRILLS if folder.name in {"lora", "split-heads", "softmax"}],
    ids=lambda folder: folder.name,
)
def test_every_misconception_is_rejected_and_found_as_itself(folder: Path) -> None:
    figure = check_mutants(load_drill(folder), seed=1)
    assert figure.rejected.right == figure.rejected.tried > 0
    assert figure.singles.right == figure.singles.tried, figure.problems


def test_told_briefly_it_has_the_mistake_and_the_cases_in_a_line(drill: Drill) -> None:
    scale_missing = next(each for each in drill.misconceptions if each.id == "scale-missing")
    mistake = Mistake((scale_missing,), (scale_missing.ways[0],))
    report = grade(drill, SUBMISSION, ReferenceCarrier(drill, mistake.change()), seed=5)
    full, brief = (
        [line.text for line in format_report(report, brief=each)] for each in (False, True)
    )
    failed = [case.name for case in report.cases if not case.passed]
    assert len(brief) < len(full)
    assert brief[:4] == full[:4]
    assert scale_missing.title in " ".join(brief)
    (names,) = [line for line in brief if failed[0] in line]
    assert names.startswith("  ✗ ")
    assert f"and {len(failed) - 3} more" in names or names.endswith("…")
    assert len(names) <= 78
