"""Choosing the next token from a language model's logits, with a given random number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from array_api_compat import array_namespace

from studyattn.attention.steps import Array, normalise


def cool(logits: Array, temperature: float) -> Array:
    """Divide by the temperature: below 1 it makes large shares larger."""
    return logits / temperature


def ranks(logits: Array) -> Array:
    """Return the place of each token, 0 for the largest logit; of equals, the first goes first."""
    xp = array_namespace(logits)
    order = xp.argsort(logits, axis=-1, descending=True, stable=True)
    return xp.argsort(order, axis=-1)


def top_k(logits: Array, k: int) -> Array:
    """Set all but the k largest logits to −∞ (Fan et al. 2018)."""
    return array_namespace(logits).where(ranks(logits) < k, logits, -math.inf)


def top_p(logits: Array, p: float) -> Array:
    """Keep the fewest largest logits whose shares sum to p or more (Holtzman et al. 2020).

    The others become −∞.
    """
    xp = array_namespace(logits)
    order = xp.argsort(logits, axis=-1, descending=True, stable=True)
    shares = xp.take_along_axis(normalise(logits), order, axis=-1)
    before = xp.cumulative_sum(shares, axis=-1) - shares
    kept = xp.take_along_axis(before < p, ranks(logits), axis=-1)
    return xp.where(kept, logits, -math.inf)


def choose(shares: Array, uniform: float) -> int:
    """Return the first token with which the sum of the shares `(v,)` exceeds `uniform`.

    Rounding may leave the sum of all of them below it: then it is the last one that has a share.
    """
    xp = array_namespace(shares)
    sums = xp.cumulative_sum(shares, axis=-1)
    passed, shared = sums <= uniform, sums < sums[-1]
    return min(int(xp.sum(xp.astype(each, xp.int64))) for each in (passed, shared))


@dataclass(frozen=True, slots=True)
class SamplingSteps:
    """The steps of sampling, in order."""

    cool: Callable[[Array, float], Array] = cool
    top_k: Callable[[Array, int], Array] = top_k
    top_p: Callable[[Array, float], Array] = top_p
    share_out: Callable[[Array], Array] = normalise
    choose: Callable[[Array, float], int] = choose


SAMPLING_STEPS = SamplingSteps()


def next_probabilities(
    logits: Array,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    *,
    steps: SamplingSteps = SAMPLING_STEPS,
) -> Array:
    """Return the shares with which the next token is chosen: `(..., v)` to `(..., v)`.

    Temperature, then top-k, then top-p of what top-k left.
    """
    cooled = steps.cool(logits, temperature)
    if top_k is not None:
        cooled = steps.top_k(cooled, top_k)
    if top_p is not None:
        cooled = steps.top_p(cooled, top_p)
    return steps.share_out(cooled)


def sample(
    logits: Array,
    uniform: float,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    *,
    steps: SamplingSteps = SAMPLING_STEPS,
) -> int:
    """Return the next token for `logits` `(v,)`, chosen by a `uniform` number in [0, 1)."""
    return steps.choose(next_probabilities(logits, temperature, top_k, top_p, steps=steps), uniform)
