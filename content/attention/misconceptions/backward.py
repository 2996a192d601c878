"""Mistakes with the gradients of attention, written out by hand."""

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception

from .weights import over_queries

backward_scale_missing = Misconception(
    id="backward-scale-missing",
    title="The gradient does not go back through the division by √d.",
    formula=r"dQ = \frac{dS\, K}{\sqrt{d}}",
    concept="attention-backward",
    ways=({"scale_backward": lambda grad, width: grad},),
)

backward_softmax_elementwise = Misconception(
    id="backward-softmax-elementwise",
    title="The softmax is differentiated entry by entry: the sum over its row is missing.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=(
        {"normalise_backward": lambda weights, grad: weights * grad},
        {"normalise_backward": lambda weights, grad: weights * (1 - weights) * grad},
    ),
)

backward_softmax_missing = Misconception(
    id="backward-softmax-missing",
    title="The gradient skips the softmax.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=({"normalise_backward": lambda weights, grad: grad},),
)

backward_softmax_sum_unweighted = Misconception(
    id="backward-softmax-sum-unweighted",
    title="What is subtracted in each row leaves out the weights; it should be Σ P dP.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=(
        {
            "normalise_backward": lambda weights, grad: (
                weights * (grad - np.sum(grad, axis=-1, keepdims=True))
            )
        },
        {
            "normalise_backward": lambda weights, grad: (
                weights * (grad - np.mean(grad, axis=-1, keepdims=True))
            )
        },
    ),
)

backward_softmax_wrong_axis = Misconception(
    id="backward-softmax-wrong-axis",
    title="The sum inside the softmax's gradient runs over the queries, not over a row's keys.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=({"normalise_backward": over_queries},),
)

backward_values_transposed = Misconception(
    id="backward-values-transposed",
    title="The gradient of the values needs the weights transposed.",
    formula=r"dV = P^T\, dO",
    concept="attention-backward",
    ways=({"value_backward": lambda weights, grad_output: weights @ grad_output},),
)


def _backward(*, dq=None, dk=None, dv=None, swapped=False):
    """The gradients with one of the last products exchanged."""

    def attention_backward(q, k, v, grad_output, *, steps=STEPS):
        width = q.shape[-1]
        weights = steps.weigh(steps.scores(q, k), width, None, steps)
        d_weights = grad_output @ np.matrix_transpose(v)
        raw = steps.normalise_backward(weights, d_weights)
        grad = steps.scale_backward(raw, width)
        found = (
            dq(raw, grad, q, k) if dq else grad @ k,
            dk(raw, grad, q, k) if dk else np.matrix_transpose(grad) @ q,
            dv(weights, grad_output) if dv else steps.value_backward(weights, grad_output),
        )
        return (found[1], found[0], found[2]) if swapped else found

    return {"attention_backward": attention_backward}


backward_scale_missing_once = Misconception(
    id="backward-scale-missing-once",
    title="Only one of dQ and dK is divided by √d; both should be.",
    formula=r"dQ = \frac{dS\, K}{\sqrt{d}}, \; dK = \frac{dS^T Q}{\sqrt{d}}",
    concept="attention-backward",
    ways=(
        _backward(dk=lambda raw, grad, q, k: np.matrix_transpose(raw) @ q),
        _backward(dq=lambda raw, grad, q, k: raw @ k),
    ),
)

backward_scale_twice = Misconception(
    id="backward-scale-twice",
    title="The gradient is divided by √d twice on its way to the queries or the keys.",
    formula=r"dQ = \frac{dS\, K}{\sqrt{d}}, \; dK = \frac{dS^T Q}{\sqrt{d}}",
    concept="attention-backward",
    ways=(
        {"scale_backward": lambda grad, width: grad / width},
        _backward(
            dk=lambda raw, grad, q, k: np.matrix_transpose(raw) @ q / q.shape[-1],
        ),
        _backward(dq=lambda raw, grad, q, k: raw @ k / q.shape[-1]),
    ),
)

backward_results_swapped = Misconception(
    id="backward-results-swapped",
    title="The gradients of queries and keys are swapped.",
    formula=r"(dQ, dK, dV)",
    concept="attention-backward",
    ways=(_backward(swapped=True),),
)

backward_scores_not_transposed = Misconception(
    id="backward-scores-not-transposed",
    title="The gradient of the keys needs dS transposed: it sums over the queries.",
    formula=r"dK = \frac{dS^T Q}{\sqrt{d}}",
    concept="attention-backward",
    ways=(_backward(dk=lambda raw, grad, q, k: grad @ q),),
)

backward_keys_and_queries_exchanged = Misconception(
    id="backward-keys-and-queries-exchanged",
    title="dQ uses the queries instead of the keys, or dK uses the keys instead of the queries.",
    formula=r"dQ = \frac{dS\, K}{\sqrt{d}}, \; dK = \frac{dS^T Q}{\sqrt{d}}",
    concept="attention-backward",
    ways=(
        _backward(
            dq=lambda raw, grad, q, k: grad @ q,
            dk=lambda raw, grad, q, k: np.matrix_transpose(grad) @ k,
        ),
        _backward(dq=lambda raw, grad, q, k: grad @ q),
        _backward(dk=lambda raw, grad, q, k: np.matrix_transpose(grad) @ k),
    ),
)

backward_sign_flipped = Misconception(
    id="backward-sign-flipped",
    title="A sign in the softmax's gradient is wrong; it should be P (dP − Σ P dP).",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=(
        {
            "normalise_backward": lambda weights, grad: (
                weights * (np.sum(weights * grad, axis=-1, keepdims=True) - grad)
            )
        },
        {
            "normalise_backward": lambda weights, grad: (
                weights * (np.sum(weights * grad, axis=-1, keepdims=True) + grad)
            )
        },
    ),
)

backward_weights_missing = Misconception(
    id="backward-weights-missing",
    title="dV leaves out the weights: every query passes its gradient equally to every value.",
    formula=r"dV = P^T\, dO",
    concept="attention-backward",
    ways=(
        {
            "value_backward": lambda weights, grad_output: (
                np.ones_like(np.matrix_transpose(weights)) @ grad_output
            )
        },
        {
            "value_backward": lambda weights, grad_output: (
                np.ones_like(np.matrix_transpose(weights)) @ grad_output / weights.shape[-1]
            )
        },
    ),
)

BACKWARD = (
    backward_scale_missing,
    backward_softmax_elementwise,
    backward_softmax_missing,
    backward_softmax_sum_unweighted,
    backward_softmax_wrong_axis,
    backward_values_transposed,
    backward_scale_missing_once,
    backward_scale_twice,
    backward_results_swapped,
    backward_scores_not_transposed,
    backward_keys_and_queries_exchanged,
    backward_sign_flipped,
    backward_weights_missing,
)
