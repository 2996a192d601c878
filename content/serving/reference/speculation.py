"""A step of speculative decoding: accept drafted tokens, or draw what corrects the law."""

from dataclasses import dataclass

import numpy as np


def excess(p, q):
    """What the target gives each token beyond the draft, and nothing where it gives less."""
    return np.maximum(p - q, 0.0)


def share(weights):
    """The weights as shares that sum to 1, of which a mistake may leave none."""
    with np.errstate(invalid="ignore"):
        return weights / weights.sum(axis=-1, keepdims=True)


def accepts(uniform, p, q):
    """Return whether a drafted token stays, of which the target and the draft say p and q."""
    return uniform * q < p


def pick(shares, uniform):
    """Return the first token at which the sum of shares exceeds the uniform number."""
    return int(np.searchsorted(np.cumsum(shares), uniform, side="right"))


@dataclass(frozen=True)
class SpeculationSteps:
    excess: object = excess
    share: object = share
    accepts: object = accepts
    pick: object = pick


STEPS = SpeculationSteps()


def residual(p, q, *, steps=STEPS):
    """The distribution of what replaces a rejected token: `(..., v)`."""
    return steps.share(steps.excess(p, q))


def speculative_step(draft, target, tokens, uniforms, *, steps=STEPS):
    """The accepted tokens of a draft and one more: `(a + 1,)`."""
    made = []
    for i, token in enumerate(tokens):
        if not steps.accepts(uniforms[i], target[i, token], draft[i, token]):
            shares = residual(target[i], draft[i], steps=steps)
            break
        made.append(int(token))
    else:
        shares = target[-1]
    return np.array([*made, steps.pick(shares, uniforms[-1])], np.int64)
