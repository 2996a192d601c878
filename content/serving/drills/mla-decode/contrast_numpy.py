# backend: numpy
import numpy as np


def mla_decode(q, q_r, c, k_r, w_uk, w_uv):
    """Make every head's keys and values of all latents."""
    keys, values = c @ w_uk, c @ w_uv  # (h, n, d), (h, n, d_v)
    scores = np.einsum("hd,hnd->hn", q, keys) + q_r @ k_r.T
    scores = scores / (q.shape[-1] + q_r.shape[-1]) ** 0.5
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return np.einsum("hn,hnv->hv", weights, values)
