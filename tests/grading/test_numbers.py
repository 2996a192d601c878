"""Numbers: what may stand for an int, a float or a bool, and which mistakes are named in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.grading import Grader
from studyattn.grading.verdict import Report

CHECKS = """\
import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Drill, case
from studyattn.grading.misconception import Misconception


def asked(x):
    return {right}


def mistaken(x):
    return {wrong}


drill = Drill(
    id="asked",
    reference={{"asked": asked}},
    ask=lambda draw, *, n: Call("asked", (draw.array(n),)),
    cases=(case("float64", dtype="float64", n=6), case("float32", n=9), case("again", n=7)),
    small=({{"n": 3}},),
    axes=("entry",),
    misconceptions=(
        Misconception("twice", "It is twice as much.", "2", "one", ways=({{"asked": mistaken}},)),
    ),
)
"""

KINDS = {
    "an int": ("int((x > 0).sum()) + 1", "2 * int((x > 0).sum()) + 2"),
    "an int of numpy's": ("(x > 0).sum() + 1", "2 * (x > 0).sum() + 2"),
    "a float": ("float((x**2).mean())", "2 * float((x**2).mean())"),
    "a bool": ("bool(x.sum() > 0)", "bool(x.sum() <= 0)"),
}
HEAD = {
    "numpy": "# backend: numpy\nimport numpy as np\nfrom enum import IntEnum\ndef asked(x):\n    ",
    "torch": "# backend: torch\nimport numpy as np\nimport torch\ndef asked(x):\n    ",
}
POSITIVE = "(x > 0).sum() + 1"


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    with Grader([]) as grader:
        yield grader


def graded(grader: Grader, folder: Path, kind: str, backend: str, code: str) -> Report:
    right, wrong = KINDS[kind]
    place = folder / "pack" / "drills" / "asked"
    place.mkdir(parents=True)
    (place / "checks.py").write_text(CHECKS.format(right=right, wrong=wrong))
    return grader.grade(place, HEAD[backend] + code)


@pytest.mark.parametrize(
    ("kind", "backend", "code", "told"),
    [
        ("an int", "numpy", f"return int({POSITIVE})", ""),
        ("an int", "numpy", f"return {POSITIVE}", "numpy.int64"),
        ("an int", "numpy", f"return np.asarray({POSITIVE})", "numpy.ndarray"),
        ("an int", "numpy", f"return ({POSITIVE}).astype(np.uint8)", "numpy.uint8"),
        ("an int", "torch", f"return {POSITIVE}", "torch.Tensor"),
        ("an int", "torch", f"return np.int64({POSITIVE})", "numpy.int64"),
        ("an int", "numpy", f"return IntEnum('E', 'a b c d e f g h i j')({POSITIVE})", ""),
        ("an int of numpy's", "numpy", f"return int({POSITIVE})", ""),
        ("an int of numpy's", "numpy", f"return {POSITIVE}", "numpy.int64"),
        ("a float", "numpy", "return float((x**2).mean())", ""),
        ("a float", "numpy", "return (x**2).mean()", "numpy.float"),
        ("a float", "torch", "return x.requires_grad_().pow(2).mean()", "torch.Tensor"),
        ("a bool", "numpy", "return bool(x.sum() > 0)", ""),
        ("a bool", "numpy", "return x.sum() > 0", "numpy.bool"),
        ("a bool", "torch", "return x.sum() > 0", "torch.Tensor"),
    ],
)
def test_a_scalar_of_the_kind_passes_with_a_remark(  # noqa: PLR0917  # fixtures and parameters
    grader: Grader, tmp_path: Path, kind: str, backend: str, code: str, told: str
) -> None:
    report = graded(grader, tmp_path, kind, backend, code)
    assert report.passed, report
    remark = " ".join(report.remarks)
    assert told in remark
    assert bool(remark) is bool(told)
    assert not told or f"{kind.partition(' of')[0]}; that passes." in remark


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [
        ("an int", f"return float({POSITIVE})", "returned float "),
        ("an int", f"return np.float32({POSITIVE})", "returned numpy.float32 "),
        ("an int", f"return np.asarray([{POSITIVE}])", "an array of shape (1,), expected an int"),
        ("an int", "return True", "returned bool True, expected an int"),
        ("an int", "return np.True_", "expected an int"),
        ("an int", "return 10**299", "returned 100,000"),
        ("an int", "return 10**4000", "a number with more than 300 digits"),
        ("an int", "return float('nan')", "returned float nan, expected an int"),
        ("a bool", "return int(x.sum() > 0)", "expected a bool"),
        ("a float", "return np.float16((x**2).mean())", "expected"),
        ("a float", "return float(np.float32((x**2).mean())) * (1 + 1e-5)", "expected"),
        ("a float", "return float('nan')", "expected"),
        ("a float", "return (x**2).mean() > 0", "expected a float"),
        ("a float", "return str((x**2).mean())", "expected a float"),
    ],
)
def test_another_kind_or_value_does_not_pass(
    grader: Grader, tmp_path: Path, kind: str, code: str, message: str
) -> None:
    report = graded(grader, tmp_path, kind, "numpy", code)
    assert report.verdict == "wrong"
    assert message in " ".join(case.message for case in report.cases)
    shown = report.counterexample
    assert shown is not None
    assert shown.got != shown.expected


@pytest.mark.parametrize(
    ("kind", "backend", "code"),
    [
        ("an int", "numpy", f"return 2 * ({POSITIVE})"),
        ("an int", "torch", f"return 2 * ({POSITIVE})"),
        ("an int", "numpy", f"return 2.0 * int({POSITIVE})"),
        ("an int of numpy's", "numpy", f"return 2 * int({POSITIVE})"),
        ("a float", "numpy", "return 2 * (x**2).mean()"),
        ("a float", "torch", "return 2 * (x**2).mean()"),
        ("a bool", "numpy", "return x.sum() <= 0"),
    ],
)
def test_the_mistake_in_a_number_is_named_whatever_its_form(
    grader: Grader, tmp_path: Path, kind: str, backend: str, code: str
) -> None:
    report = graded(grader, tmp_path, kind, backend, code)
    assert report.verdict == "wrong"
    assert [each.misconceptions for each in report.diagnosis] == [("twice",)]
