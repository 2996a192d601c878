# backend: numpy
# mistake: spec-ratio-inverted
import numpy as np


def residual(p, q):
    r = np.where(p > q, p - q, np.zeros_like(p))
    return r / r.sum()


def speculative_step(draft, target, tokens, uniforms):
    k = len(tokens)
    at = np.arange(k)
    stays = uniforms[:k] * target[at, tokens] < draft[at, tokens]
    a = int(np.cumprod(stays).sum())
    shares = target[k] if a == k else residual(target[a], draft[a])
    last = np.searchsorted(np.cumsum(shares), uniforms[k], side="right")
    return np.append(tokens[:a], last)
