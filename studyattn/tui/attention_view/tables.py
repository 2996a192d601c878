"""Every table of an example, computed step by step with the reference (`studyattn.attention`).

This module loads numpy, so the app imports it in the database's thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import STEPS
from studyattn.tui.attention_view.example import (
    AttentionExample,
    AttentionStep,
    AttentionView,
    Head,
    Maps,
    Tables,
    Weighting,
)


def tables(example: AttentionExample, head: int, view: AttentionView) -> Tables:
    """Compute every step of one head, in order.

    X `(m, d_model)`, C `(n, d_model)`, Q `(m, d)`, K `(n, d)`, V `(n, d_v)`, output `(m, d_v)`, the
    others `(m, n)`. `SCALED` are the scores that meet the softmax: divided by √d unless that is
    off, and by the temperature; forbidden ones are −∞. Linear attention has no such step; its
    scores are φ(q)·φ(k), and forbidden ones are 0.
    """
    found = _vectors(example, example.heads[head])
    q, k = found[AttentionStep.Q], found[AttentionStep.K]
    if example.weighting is Weighting.LINEAR:
        scores = STEPS.scores(STEPS.feature(q), STEPS.feature(k))  # (m, n)
        if view.masked:
            scores = scores * _allowed(example, scores)
        total = scores.sum(axis=-1, keepdims=True)  # (m, 1)
        weights = STEPS.share(scores, total)
        found |= {AttentionStep.SCORES: scores, AttentionStep.WEIGHTS: weights}
    else:
        found |= _softmax(example, q, k, view)
    if AttentionStep.V in found:
        found[AttentionStep.OUTPUT] = STEPS.aggregate(
            found[AttentionStep.WEIGHTS], found[AttentionStep.V]
        )  # (m, d_v)
    return {step: tuple(map(tuple, found[step].tolist())) for step in example.steps}


def _vectors(example: AttentionExample, head: Head) -> dict[AttentionStep, Any]:
    """Return the head's inputs: X, C, Q, K, V, as far as the example has them."""
    if not isinstance(head, Maps):
        given = {AttentionStep.Q: head.q, AttentionStep.K: head.k, AttentionStep.V: head.v}
        return {step: np.array(table) for step, table in given.items() if table is not None}
    x = np.array(example.x)  # (m, d_model)
    context = x if example.context is None else np.array(example.context)  # (n, d_model)
    return {
        AttentionStep.X: x,
        AttentionStep.CONTEXT: context,
        AttentionStep.Q: STEPS.project(x, np.array(head.w_q)),  # (m, d)
        AttentionStep.K: STEPS.project(context, np.array(head.w_k)),  # (n, d)
        AttentionStep.V: STEPS.project(context, np.array(head.w_v)),  # (n, d_v)
    }


def _softmax(
    example: AttentionExample, q: NDArray[Any], k: NDArray[Any], view: AttentionView
) -> dict[AttentionStep, Any]:
    raw = STEPS.scores(q, k)  # (m, n)
    scaled = STEPS.scale(raw, q.shape[-1]) if view.scaled else raw
    scaled = scaled / view.temperature
    if view.masked:
        scaled = STEPS.mask(scaled, _allowed(example, raw))
    return {
        AttentionStep.SCORES: raw,
        AttentionStep.SCALED: scaled,
        AttentionStep.WEIGHTS: STEPS.normalise(scaled),
    }


def _allowed(example: AttentionExample, scores: NDArray[Any]) -> NDArray[Any]:
    if example.mask.allowed is None:
        found: NDArray[Any] = STEPS.causal(scores.shape[0], scores.shape[1], scores)
        return found
    return np.array(example.mask.allowed)
