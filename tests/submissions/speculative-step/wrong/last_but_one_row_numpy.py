# backend: numpy
# mistake: spec-no-bonus
import numpy as np


def residual(p, q):
    r = np.where(p > q, p - q, np.zeros_like(p))
    return r / r.sum()


def speculative_step(draft, target, tokens, uniforms):
    k = len(tokens)
    at = np.arange(k)
    stays = uniforms[:k] * draft[at, tokens] < target[at, tokens]
    a = int(np.cumprod(stays).sum())
    shares = target[k - 1] if a == k else residual(target[a], draft[a])
    last = np.searchsorted(np.cumsum(shares), uniforms[k], side="right")
    return np.append(tokens[:a], last)
