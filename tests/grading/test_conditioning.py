"""What may be off, beside what right and wrong arithmetic is off by: right is far within, over many
seeds, and a scale wrong by a thousandth is far outside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from studyattn.bundled import content_dir
from studyattn.grading.call_plan import ArrayInput
from studyattn.grading.drawn_case import draw_case
from studyattn.grading.drill import Case, Drill
from studyattn.grading.drill_loader import load_drill

Array = NDArray[Any]

SIZES = {"batch": (2, 3), "m": 4, "n": 5, "d": 6, "d_v": 7}
CASES = {
    "float32": Case("", SIZES),
    "float64": Case("", SIZES, dtype="float64"),
    "many keys": Case("", {"m": 3, "n": 131, "d": 64, "d_v": 5}),
    "large scores": Case("", SIZES, spread=100.0),
    "scores far below zero": Case(
        "", {"m": 4, "n": 6, "d": 5, "d_v": 3, "lowered": 2e3}, dtype="float64"
    ),
}

SEEDS = range(300)
FAR_WITHIN = 0.3
"""The share of what is allowed that right arithmetic may take, at the worst of all seeds."""


@pytest.fixture(scope="module")
def drill() -> Drill:
    return load_drill(content_dir() / "attention" / "drills" / "attention")


def plain(q: Array, k: Array, v: Array) -> Array:
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    shares: Array = exponentials / exponentials.sum(-1, keepdims=True)
    return shares @ v


def by_log_sum_exp(q: Array, k: Array, v: Array) -> Array:
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    peak = scores.max(-1, keepdims=True)
    total = peak + np.log(np.exp(scores - peak).sum(-1, keepdims=True))
    shares: Array = np.exp(scores - total)
    return shares @ v


def scaled_wrong_by_a_thousandth(q: Array, k: Array, v: Array) -> Array:
    return plain(q * q.dtype.type(1.001), k, v)


def shares(drill: Drill, case: Case, function: Callable[..., Array]) -> list[float]:
    """Its error as a share of what is allowed, a number a seed."""
    found = []
    for seed in SEEDS:
        question = draw_case(drill, case, (seed,))
        (leaf,) = question.expected
        arrays = [
            argument.values.astype(case.dtype)
            for argument in question.calls[0].args
            if isinstance(argument, ArrayInput)
        ]
        error = np.max(np.abs(function(*arrays) - leaf.values))
        found.append(float(error) / leaf.tolerance)
    return found


@pytest.mark.parametrize("right", [plain, by_log_sum_exp])
@pytest.mark.parametrize("name", CASES)
def test_right_arithmetic_is_far_within(
    drill: Drill, name: str, right: Callable[..., Array]
) -> None:
    assert max(shares(drill, CASES[name], right)) < FAR_WITHIN


@pytest.mark.parametrize("spread", [1.0, 10.0, 100.0])
def test_the_logarithm_of_a_sum_may_round_as_large_scores_do(drill: Drill, spread: float) -> None:
    # Whole numbers make ties, and the sum of a tie has a logarithm that has to be rounded.
    ties = Case("ties", {"m": 4, "n": 6, "d": 2, "d_v": 3}, spread=spread, whole=True)
    assert max(shares(drill, ties, by_log_sum_exp)) < FAR_WITHIN


def test_a_single_speed_is_rounded_by_as_much_at_any_seed() -> None:
    rope = load_drill(content_dir() / "attention" / "drills" / "rope")
    case = Case("few speeds", {"base": 3.331, "n": 3281, "d": 4}, dtype="float64")
    allowed = [draw_case(rope, case, (seed,)).expected[0].tolerance for seed in range(100)]
    assert min(allowed) > max(allowed) / 5


@pytest.mark.parametrize("name", ["float32", "float64", "many keys"])
def test_a_scale_wrong_by_a_thousandth_is_never_allowed(drill: Drill, name: str) -> None:
    assert min(shares(drill, CASES[name], scaled_wrong_by_a_thousandth)) > 2


def test_what_is_counted_is_exact() -> None:
    drill = load_drill(content_dir() / "attention" / "drills" / "parameter-count")
    question = draw_case(drill, drill.asked[0], (1,))
    assert {leaf.tolerance for leaf in question.expected} == {0.0}
