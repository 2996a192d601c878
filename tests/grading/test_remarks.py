"""What passes with a remark: wider dtypes and declared variants, and what near them still fails."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.backend_choice import read
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.judge import Executor, grade
from studyattn.grading.mutation_report import carriers
from studyattn.grading.report_text import format_report
from studyattn.grading.submission import Backend, Submission
from studyattn.grading.verdict import Report, Verdict
from tests.corpus import submissions

DRILLS = content_dir() / "attention" / "drills"
WITH_ROOT = sorted(
    path for path in DRILLS.glob("*/solution_numpy.py") if "math.sqrt" in path.read_text()
)
SEED = 5

TORCH_ATTENTION = """# backend: torch
import torch

def attention(q, k, v):
    {lines}
"""


@pytest.fixture(scope="module", name="carriers")
def both_carriers() -> Iterator[Mapping[str, Executor]]:
    with carriers() as both:
        yield both


def graded(carriers: Mapping[str, Executor], drill: str, source: str) -> Report:
    backend = read(source.encode(), (), tuple(Backend)).backend
    submission = Submission("mine.py", source.encode(), backend, ())
    return grade(load_drill(DRILLS / drill), submission, carriers[backend], SEED)


@pytest.mark.parametrize("path", WITH_ROOT, ids=lambda path: path.parent.name)
def test_a_numpy_solution_may_take_its_root_with_numpy(
    path: Path, carriers: Mapping[str, Executor]
) -> None:
    source = path.read_text().replace("math.sqrt", "np.sqrt")
    report = graded(carriers, path.parent.name, source)
    assert report.passed, report.cases
    (remark,) = report.remarks
    assert "float64 where the inputs are float32" in remark
    assert "np.sqrt" in remark
    assert "math.sqrt(d)" in remark


def test_every_numpy_solution_with_a_root_is_tried() -> None:
    assert len(WITH_ROOT) == 16


def test_a_power_of_plain_numbers_is_named_as_a_reason(carriers: Mapping[str, Executor]) -> None:
    source = (DRILLS / "adamw-step" / "solution_numpy.py").read_text()
    powers = re.sub(r"beta_(\d)\s*\*\*\s*step", r"np.power(beta_\1, step)", source)
    assert powers.count("np.power") == 2
    report = graded(carriers, "adamw-step", powers)
    assert report.passed, report.cases
    assert "np.power(b, t)" in report.remarks[0]


def test_accumulators_may_be_made_with_zeros(carriers: Mapping[str, Executor]) -> None:
    source = (DRILLS / "flash-attention" / "solution_numpy.py").read_text()
    source = re.sub(r"np\.zeros_like\(top\)", "np.zeros(top.shape)", source)
    assert source.count("np.zeros(top.shape)") == 2
    report = graded(carriers, "flash-attention", source)
    assert report.passed, report.cases
    assert "np.zeros(shape, x.dtype)" in report.remarks[0]


def test_a_remark_is_in_the_report_and_in_words(carriers: Mapping[str, Executor]) -> None:
    source = (DRILLS / "attention" / "solution_numpy.py").read_text()
    report = graded(carriers, "attention", source.replace("math.sqrt", "np.sqrt"))
    assert json.loads(json.dumps(report.to_json()))["remarks"] == list(report.remarks)
    for brief in (False, True):
        told = [line.text for line in format_report(report, brief=brief)]
        assert report.remarks[0] in " ".join(" ".join(told).split())
        assert all(len(line) <= 80 for line in told)


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_nothing_is_remarked_where_nothing_is_to_be_said(
    backend: str, carriers: Mapping[str, Executor]
) -> None:
    folder = DRILLS / "attention"
    path = folder / ("solution_numpy.py" if backend == "numpy" else "solution.py")
    assert graded(carriers, "attention", path.read_text()).remarks == ()


@pytest.mark.parametrize(
    "scaled",
    [
        "q @ k.mT / torch.sqrt(torch.tensor(q.shape[-1]))",
        "q @ k.mT * torch.rsqrt(torch.tensor(float(q.shape[-1])))",
        "q @ k.mT * torch.tensor(q.shape[-1]) ** -0.5",
        "q / torch.tensor(q.shape[-1]) ** 0.5 @ k.mT",
    ],
)
def test_a_root_may_be_a_float32_tensor(scaled: str, carriers: Mapping[str, Executor]) -> None:
    lines = f"return torch.softmax({scaled}, -1) @ v"
    report = graded(carriers, "attention", TORCH_ATTENTION.format(lines=lines))
    assert report.passed, report.cases
    (remark,) = report.remarks
    assert "√d is rounded to float32" in remark
    assert "math.sqrt(d) and d ** 0.5" in remark


@pytest.mark.parametrize(
    "returned",
    [
        # The weights, the scores, or everything rounded to float32; then the root alone to float16.
        "torch.softmax(q @ k.mT / root, -1).float().to(v.dtype) @ v",
        "torch.softmax((q @ k.mT / root).float().to(v.dtype), -1) @ v",
        "(torch.softmax(q.float() @ k.float().mT / root, -1) @ v.float()).to(v.dtype)",
        "torch.softmax(q @ k.mT / root.half(), -1) @ v",
    ],
)
def test_precision_lost_elsewhere_is_a_mistake(
    returned: str, carriers: Mapping[str, Executor]
) -> None:
    lines = f"root = torch.sqrt(torch.tensor(q.shape[-1])); return {returned}"
    report = graded(carriers, "attention", TORCH_ATTENTION.format(lines=lines))
    assert report.verdict is Verdict.WRONG
    assert not any("√d" in remark for remark in report.remarks)


def test_a_coarser_computation_does_not_pass_as_a_wider_result(
    carriers: Mapping[str, Executor],
) -> None:
    source = (submissions("attention") / "wrong" / "half_widened_numpy.py").read_text()
    report = graded(carriers, "attention", source)
    assert report.verdict is Verdict.WRONG
    assert report.diagnosis[0].misconceptions == ("precision-lost",)


@pytest.mark.parametrize(("added", "passes"), [("1e-6", True), ("1e-12", True), ("1e-5", False)])
def test_a_small_number_may_be_added_to_the_divisor_of_linear_attention(
    added: str, passes: bool, carriers: Mapping[str, Executor]
) -> None:
    source = (DRILLS / "linear-attention" / "solution.py").read_text()
    source = source.replace("/ (q @ total)", f"/ (q @ total + {added})")
    assert added in source
    report = graded(carriers, "linear-attention", source)
    assert report.passed is passes
    assert any("divisor" in remark for remark in report.remarks) is passes


@pytest.mark.parametrize("seed", [20170612, 1, 2])
def test_answers_that_vanish_are_not_taken_for_a_small_number_added(
    seed: int, carriers: Mapping[str, Executor]
) -> None:
    # Where all features are tiny, a divisor of 1e-4 and one of 1e-6 both give next to nothing.
    source = (submissions("linear-attention") / "wrong" / "normaliser_clamped.py").read_bytes()
    submission = Submission("mine.py", source, Backend.TORCH, ())
    drill = load_drill(DRILLS / "linear-attention")
    assert grade(drill, submission, carriers[Backend.TORCH], seed).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("detached", "passes"), [("w", True), ("a", False), ("b", False), ("x", False)]
)
def test_the_frozen_matrix_of_lora_alone_needs_no_gradient(
    detached: str, passes: bool, carriers: Mapping[str, Executor]
) -> None:
    source = (
        "# backend: torch\n"
        "def lora_linear(x, w, a, b, alpha):\n"
        f"    {detached} = {detached}.detach()\n"
        "    return x @ w + (alpha / a.shape[-1]) * ((x @ a) @ b)\n"
    )
    assert graded(carriers, "lora", source).passed is passes


def test_a_fixed_dtype_is_no_wider_dtype_that_passes(carriers: Mapping[str, Executor]) -> None:
    source = (DRILLS / "rms-norm" / "solution_numpy.py").read_text()
    end = source.rindex("return ")
    fixed = f"{source[:end]}return ({source[end + 7 :].strip()}).astype('float32')\n"
    report = graded(carriers, "rms-norm", fixed)
    assert not report.passed
    assert "dtype float32, expected float64" in str(report.cases)
    assert report.remarks == ()
