# backend: numpy
# mistake: flash-output-not-rescaled
import numpy as np


def flash_attention(q, k, v, block_size):
    m = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    l = np.zeros_like(m)
    o = np.zeros(q.shape[:-1] + (v.shape[-1],), q.dtype)
    for i in range(0, k.shape[-2], block_size):
        kb, vb = k[..., i : i + block_size, :], v[..., i : i + block_size, :]
        s = q @ np.swapaxes(kb, -1, -2) / q.shape[-1] ** 0.5
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        p = np.exp(s - m_new)
        l = np.exp(m - m_new) * l + p.sum(-1, keepdims=True)
        o = o + p @ vb
        m = m_new
    return o / l
