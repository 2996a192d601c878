"""The gradients of attention, written out."""

from __future__ import annotations

from array_api_compat import array_namespace

from studyattn.attention.steps import STEPS, Array, Steps


def attention_backward(
    q: Array, k: Array, v: Array, grad_output: Array, *, steps: Steps = STEPS
) -> tuple[Array, Array, Array]:
    """Return the gradients of `attention` for q, k and v, given that of its output `(..., m, d_v)`.

    With S = q kᵀ / √d, P = softmax(S), O = P v and gradients written d·:
    dv = Pᵀ dO, dP = dO vᵀ, dS = P ∘ (dP − Σ P ∘ dP), dq = dS k / √d, dk = dSᵀ q / √d.
    """
    xp = array_namespace(q)
    width = q.shape[-1]
    weights = steps.weigh(steps.scores(q, k), width, None, steps)  # (..., m, n)
    dv = steps.value_backward(weights, grad_output)
    d_weights = grad_output @ xp.matrix_transpose(v)  # (..., m, n)
    d_scores = steps.scale_backward(steps.normalise_backward(weights, d_weights), width)
    return d_scores @ k, xp.matrix_transpose(d_scores) @ q, dv
