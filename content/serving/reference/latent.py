"""A decoding step of multi-head latent attention, on the latents themselves."""

import math
from dataclasses import dataclass

import numpy as np

from ..shared import softmax


def absorbed(q, w_uk):
    """Queries as they meet latents: `(h, d)` and `(h, d_c, d)` to `(h, d_c)`."""
    return np.einsum("hd,hcd->hc", q, w_uk)


def content(q, c, w_uk):
    """The products of queries and keys that are made of latents: `(h, n)`."""
    return absorbed(q, w_uk) @ c.T


def turned(q_r, k_r):
    """The products of rotated queries and the rotated keys: `(h, n)`."""
    return q_r @ k_r.T


def scale(scores, d, d_r):
    """Divide by the root of the width of a whole key."""
    return scores / math.sqrt(d + d_r)


def mix(weights, c, w_uv):
    """The weighted sums of values that are made of latents: `(h, d_v)`."""
    return np.einsum("hc,hcv->hv", weights @ c, w_uv)


@dataclass(frozen=True)
class LatentSteps:
    content: object = content
    turned: object = turned
    scale: object = scale
    softmax: object = softmax
    mix: object = mix


STEPS = LatentSteps()


def mla_decode(q, q_r, c, k_r, w_uk, w_uv, *, steps=STEPS):
    """Attention of one token to `n` latents: `(h, d_v)`."""
    scores = steps.content(q, c, w_uk) + steps.turned(q_r, k_r)
    weights = steps.softmax(steps.scale(scores, q.shape[-1], q_r.shape[-1]))
    return steps.mix(weights, c, w_uv)
