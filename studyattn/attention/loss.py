"""The loss of a language model: how surprised it is by each token that comes next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from array_api_compat import array_namespace

from studyattn.attention.steps import Array

Paired = tuple[Array, Array, Array | None]
"""Logits, what they are to predict, and which of these predictions count."""


def pair(logits: Array, tokens: Array, counts: Array | None) -> Paired:
    """Put the logits after each token beside the next one; the last has none: n becomes n − 1."""
    return logits[..., :-1, :], tokens[..., 1:], None if counts is None else counts[..., 1:]


def surprise(logits: Array, targets: Array) -> Array:
    """Return −log softmax(logits) of each target: `(..., n, v)`, `(..., n)` to `(..., n)`.

    As log Σ exp z − z of the target, with the largest logit subtracted before the exponential.
    """
    xp = array_namespace(logits)
    peak = xp.max(logits, axis=-1, keepdims=True)
    total = xp.sum(xp.exp(logits - peak), axis=-1, keepdims=True)
    chosen = xp.take_along_axis(logits, targets[..., None], axis=-1)
    return (xp.log(total) + peak - chosen)[..., 0]


def average(losses: Array, counts: Array | None) -> Array:
    """Return the mean of all losses that count, `()`."""
    xp = array_namespace(losses)
    if counts is None:
        counts = xp.ones_like(losses, dtype=xp.bool)
    number = xp.sum(xp.astype(counts, losses.dtype))
    return xp.sum(xp.where(counts, losses, 0.0)) / number


@dataclass(frozen=True, slots=True)
class LossSteps:
    """The steps of the loss, in order."""

    pair: Callable[[Array, Array, Array | None], Paired] = pair
    surprise: Callable[[Array, Array], Array] = surprise
    average: Callable[[Array, Array | None], Array] = average


LOSS_STEPS = LossSteps()


def next_token_loss(
    logits: Array, tokens: Array, counts: Array | None = None, *, steps: LossSteps = LOSS_STEPS
) -> Array:
    """Return the mean loss of predicting each token from those before it, `()`.

    `logits` `(..., n, v)`, `tokens` `(..., n)`, n ≥ 2. Where `counts` `(..., n)` is False, a token
    is no target: padding, or a prompt.
    """
    logits, targets, counted = steps.pair(logits, tokens, counts)
    return steps.average(steps.surprise(logits, targets), counted)
