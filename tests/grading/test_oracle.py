"""The oracle's derivatives beside autograd's, and its rounding beside torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from studyattn import attention as reference
from studyattn.bundled import content_dir
from studyattn.grading.call_plan import ArrayInput, Backward, Call, CallPlan
from studyattn.grading.drawn_case import draw_case
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.oracle import carry_out
from studyattn.grading.tolerance import allowance, rounded


def test_complex_steps_are_exact_derivatives() -> None:
    generator = np.random.default_rng(2)
    arrays = [generator.standard_normal(shape) for shape in ((3, 2), (4, 2), (4, 3))]
    grad = generator.standard_normal((3, 3))
    program = CallPlan(
        (
            Call("f", tuple(ArrayInput(a, "float64", requires_grad=True) for a in arrays)),
            Backward("result", ArrayInput(grad, "float64")),
        ),
        ("gradients",),
    )
    ours = carry_out(program, {"f": reference.attention})["gradients"]
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    theirs = torch.autograd.grad(reference.attention(*leaves), leaves, torch.tensor(grad))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_inputs_are_rounded_as_torch_rounds_them(dtype: str) -> None:
    values = np.random.default_rng(1).standard_normal(500) * 100
    theirs = torch.tensor(values).to(getattr(torch, dtype)).double().numpy()
    np.testing.assert_array_equal(rounded(values, dtype), theirs)


def test_no_output_is_left_out_of_the_gradients() -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / "single-query")
    cases = [case for case in drill.asked if case.gradients]
    for seed in range(200):
        for case in cases:
            steps = draw_case(drill, case, (seed,)).program.steps
            asked = [step for step in steps if isinstance(step, Backward)]
            assert asked
            assert all(step.grad.values.all() for step in asked)


def test_more_terms_are_allowed_more_error() -> None:
    assert allowance(1e-7, 4) == pytest.approx(2 * allowance(1e-7, 1))
