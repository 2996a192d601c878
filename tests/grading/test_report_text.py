"""A verdict in words: what stands where, how numbers are written, and that nothing is too wide."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from studyattn.grading.number_form import MARK, NumberForm, flat, form_beside, form_of, rows_of
from studyattn.grading.report_text import WIDTH, Tone, format_report
from studyattn.grading.verdict import (
    NOT_WRITTEN,
    CaseResult,
    Counterexample,
    Diagnosis,
    NamedMistake,
    Observation,
    Report,
    Verdict,
    legible,
)

SCALE = NamedMistake(
    "scale-missing",
    "The scores are not divided by √d.",
    r"\frac{1}{\sqrt{d}}",
    "scaled-dot-product",
)
REPORT = Report(
    drill="attention",
    verdict=Verdict.WRONG,
    backend="torch",
    device="cpu",
    cases=(
        CaseResult("all sizes different", False, "84 of 84 entries are wrong, by up to 1.3"),
        CaseResult("one key", True, max_error=0.0, tolerance=1e-6),
        CaseResult("float64, tiny weights", True, max_error=1e-16, tolerance=1e-13),
        CaseResult("small numbers", False, "1 of 1 entries are wrong, by up to 0.06"),
    ),
    diagnosis=(Diagnosis((SCALE,), 2, 2),),
    counterexample=Counterexample(
        inputs={"q": [[0, -1]], "k": [[2, -1], [-1, 2]], "v": [[0], [1]]},
        expected=[[0.107], [0.5]],
        got=[[0.04743], [0.5]],
        where="query 1 of 2",
        wrong=[[True], [False]],
    ),
    cost=None,
    isolation=(),
    seconds=0.0412,
    seed=7,
)


def told(report: Report) -> str:
    return "\n".join(line.text for line in format_report(report))


def test_a_mistake_that_was_recognised() -> None:
    assert told(REPORT) == dedent(
        """\
        ✗ Not yet · attention · 2 of 4 cases

          The scores are not divided by √d.
            review: scaled-dot-product   (scale-missing)
            2 of 2 wrong answers match this mistake exactly.

          Smallest failing input
            q         [0 -1]
            k         [ 2 -1]
                      [-1  2]
            v         [0]
                      [1]

            expected   yours, * where it is wrong
            [0.1070]   [0.0474*]
            [0.5000]   [0.5000 ]
            first wrong: query 1 of 2

          ✗ all sizes different   84 of 84 entries are wrong, by up to 1.3
          ✗ small numbers         1 of 1 entries are wrong, by up to 0.06
          ✓ one key · float64, tiny weights

          torch on cpu, not checked on a GPU, seed 7, 41 ms"""
    ).replace("q         [0 -1]", "q         [ 0 -1]")


def test_a_case_is_named_by_two_of_its_conditions() -> None:
    joined = "float64, no batch, an odd number of tokens, for all, large scores"
    cases = (
        CaseResult(joined, False, "1 of 1 entries are wrong, by up to 0.06"),
        CaseResult("small numbers", False, "2 of 2 entries are wrong, by up to 0.06"),
        CaseResult(joined, True),
    )
    text = told(replace(REPORT, cases=cases))
    assert text.count("float64, no batch") == 2
    assert "an odd number" not in text


def test_what_it_printed_stands_below_the_input_that_made_it_print() -> None:
    lines = told(replace(REPORT, printed="scores torch.Size([1, 2])\n" + "x" * 100)).splitlines()
    at = lines.index("  Output for this input")
    assert lines[at - 2] == "    first wrong: query 1 of 2"
    assert lines[at + 1] == "    scores torch.Size([1, 2])"
    assert lines[at + 2].endswith("…")
    assert lines[at + 3 : at + 5] == ["", lines[at + 4]]
    much = told(replace(REPORT, printed="line\n" * 50, counterexample=None))
    assert "  It printed\n    line\n" in much
    assert "… and 30 more" in much


def test_what_is_printed_cannot_command_the_terminal() -> None:
    printed = "a\x1b[31mred\x1b[0m\x1b]0;title\x07b\tc\r\nd\x07\x1b[2J\u202e"
    assert legible(printed) == "aredb   c\nd"


def test_what_all_cases_say_is_said_once_and_no_mistake_is_made_up() -> None:
    message = "returned a tuple of 1, expected a torch.Tensor"
    cases = tuple(replace(case, passed=False, message=message) for case in REPORT.cases)
    shown = Counterexample(
        {"CachedAttention: num_heads": 2, "call 1: x": [[1.5]]}, [[0.5]], message, ""
    )
    report = replace(REPORT, cases=cases, diagnosis=(), counterexample=shown)
    assert told(report) == dedent(
        """\
        ✗ Not yet · attention · 0 of 4 cases
          It returned a tuple of 1, expected a torch.Tensor.

          Smallest failing input
            CachedAttention
              num_heads  2
            call 1
              x          [1.5]

            expected  [0.5]
            yours     returned a tuple of 1, expected a torch.Tensor

          ✗ all sizes different · one key · small numbers · and 1 more

          torch on cpu, not checked on a GPU, seed 7, 41 ms"""
    )


def test_facts_follow_where_no_mistake_is_known() -> None:
    facts = (
        Observation("factor", "Every wrong answer is 1/d times the correct one."),
        Observation("condition", "It is wrong where n is 1, 2 times of 2."),
    )
    unknown = replace(REPORT, diagnosis=())
    assert "None of the known mistakes" in told(unknown)
    lines = told(replace(unknown, observations=facts)).splitlines()
    place = lines.index("  · Every wrong answer is 1/d times the correct one.")
    assert lines[place + 1] == "  · It is wrong where n is 1, 2 times of 2."


def test_what_was_refused_and_what_passed_are_short() -> None:
    message = "softmax solves the exercise by itself"
    cases = tuple(
        replace(case, passed=False, message=f"raised ForbiddenError: {message}")
        for case in REPORT.cases
    )
    refused = replace(
        REPORT,
        verdict=Verdict.REFUSED,
        message=message,
        line=7,
        cases=cases,
        diagnosis=(),
        counterexample=None,
    )
    assert told(refused).splitlines()[:4] == [
        "✗ Refused · attention · 0 of 4 cases",
        "  line 7: softmax solves the exercise by itself",
        "",
        "  ✗ all sizes different · one key · small numbers · and 1 more",
    ]
    good = replace(
        REPORT,
        verdict=Verdict.PASSED,
        cases=tuple(replace(case, passed=True, message="") for case in REPORT.cases),
        diagnosis=(),
        counterexample=None,
    )
    assert told(good).splitlines() == [
        "✓ Passed · attention · 4 of 4 cases",
        "",
        "  ✓ all sizes different · one key · small numbers · and 1 more",
        "",
        "  torch on cpu, not checked on a GPU, 41 ms",
    ]


def test_another_shape_is_told_and_marks_no_entry() -> None:
    shown = Counterexample({}, [[0.5, 0.25]], [[0.5], [0.25]], "shape", None)
    lines = list(format_report(replace(REPORT, counterexample=shown)))
    assert MARK not in "".join(line.text for line in lines)
    assert any(
        line.text == "    shape (1, 2) expected, shape (2, 1) returned" and line.tone is Tone.BAD
        for line in lines
    )


def test_rows_say_how_many_axes_an_array_has_beyond_two() -> None:
    given = {"deep": [[[1.0, -1.0]]], "flat": [[1.0, -1.0]]}
    shown = Counterexample(given, [0.5], [0.25], "row 1 of 1", [True])
    lines = [line.text for line in format_report(replace(REPORT, counterexample=shown))]
    assert "    deep      [ 1 -1]   shape (1, 1, 2)" in lines
    assert "    flat      [ 1 -1]" in lines


@settings(deadline=None, max_examples=60)
@given(
    arrays.arrays(
        np.float64,
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=8),
        elements=st.floats(-1e9, 1e9) | st.sampled_from([0.0, float("nan"), float("-inf"), 1e-30]),
    ),
    st.text("abc, ", max_size=90),
)
def test_no_line_is_wider_than_the_terminal(got: np.ndarray[tuple[int, ...]], where: str) -> None:
    shown = Counterexample({"x" * 20: got.tolist()}, (got * 2 + 1).tolist(), got.tolist(), where)
    title = NamedMistake("long", "A sentence about softmax that goes on " * 6, "", "concept")
    report = replace(
        REPORT,
        counterexample=shown,
        message="word " * 40,
        diagnosis=(Diagnosis((title,), 1, 2),) * 2,
        cases=tuple(
            CaseResult(f"case {n} of many", n % 3 == 0, ("off " * n).strip()) for n in range(1, 30)
        ),
    )
    assert all(len(line.text) <= WIDTH for line in format_report(report))
    assert all(line.text == line.text.rstrip() for line in format_report(report))


def test_numbers_that_differ_look_different() -> None:
    expected, got = [0.123456, 2.0], [0.123459, 2.0]
    form = form_beside(expected, got, [True, False])
    assert form.write(expected[0]) != form.write(got[0])
    assert form_of(expected + got) == NumberForm(3)


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ([1.0, -20.0], ["[  1 -20]"]),
        ([0.5, 10.25], ["[ 0.50 10.25]"]),
        ([57_982_058_496, 1], ["[57,982,058,496              1]"]),
        ([1.5e-7, 0.0], ["[1.500e-07 0.000e+00]"]),
        ([0.25, float("nan")], ["[0.25  nan]"]),
        ([True, False], ["[ True False]"]),
        ([], ["empty, shape (0,)"]),
        ([[[1], [2]], [[3], [4]]], ["[1]", "[2]", "", "[3]", "[4]"]),
    ],
)
def test_rows_are_aligned(values: list[object], rows: list[str]) -> None:
    assert rows_of(values, form_of(flat(values))) == rows


def test_a_starter_is_told_as_code_that_is_not_written_yet() -> None:
    message = f"{NOT_WRITTEN}: three lines, one per step"
    report = replace(REPORT, verdict=Verdict.ERROR, message=message, line=14)
    headline, told, *_ = (line.text for line in format_report(report))
    assert headline.startswith("✗ Not written yet · attention")
    assert told == "  line 14: this is not written yet: three lines, one per step"
