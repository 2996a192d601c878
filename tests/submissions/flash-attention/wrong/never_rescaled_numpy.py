# backend: numpy
# mistake: flash-not-rescaled
# style: online
import numpy as np

def flash_attention(q, k, v, block_size):
    num, den, top = 0, 0, -np.inf
    for i in range(0, k.shape[-2], block_size):
        s = np.einsum("...md,...nd->...mn", q, k[..., i:i + block_size, :]) / q.shape[-1] ** 0.5
        top = np.maximum(top, s.max(-1, keepdims=True)).astype(q.dtype)
        e = np.exp(s - top)
        num = num + e @ v[..., i:i + block_size, :]
        den = den + e.sum(-1, keepdims=True)
    return num / den
