"""A judge of one question, for the tests of what runs submissions: plain attention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studyattn.grading.call_plan import (
    ArrayInput,
    ArrayOutput,
    Call,
    CallPlan,
    Ended,
    Finished,
    Invalid,
    Outcome,
    Raised,
)

ENTRY = "attention"
FORBIDDEN = ("scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward")

_generator = np.random.default_rng(7)
QUERIES = _generator.standard_normal((2, 3, 4))  # (b, m, d)
KEYS = _generator.standard_normal((2, 5, 4))  # (b, n, d)
VALUES = _generator.standard_normal((2, 5, 6))  # (b, n, d_v)


def question(*, measured: bool = False) -> CallPlan:
    """One call of `attention` in float32."""
    arrays = tuple(ArrayInput(values, "float32") for values in (QUERIES, KEYS, VALUES))
    return CallPlan((Call(ENTRY, arrays, measured=measured),))


def expected() -> NDArray[np.float64]:
    """(b, m, d_v)."""
    scores = QUERIES @ KEYS.swapaxes(-1, -2) / np.sqrt(QUERIES.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(weights / weights.sum(-1, keepdims=True) @ VALUES)


def verdict(outcome: Outcome) -> str:
    """The verdict that a drill's judge would give."""
    match outcome:
        case Invalid():
            return "invalid"
        case Raised():
            return "refused" if outcome.forbidden else "error"
        case Ended():
            return outcome.how
        case Finished():
            return "passed" if _is_right(outcome) else "wrong"


def _is_right(outcome: Finished) -> bool:
    result = outcome.registers["result"]
    return (
        isinstance(result, ArrayOutput)
        and (result.kind, result.dtype, result.device) == ("torch.Tensor", "float32", "cpu")
        and result.values.shape == expected().shape
        and bool(np.allclose(result.values, expected(), atol=1e-5))
        and not outcome.changed_inputs
    )
