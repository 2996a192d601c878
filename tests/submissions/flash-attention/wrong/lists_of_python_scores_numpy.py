# backend: numpy
# mistake: flash-materialises
import numpy as np


def flash_attention(q, k, v, block_size):
    starts = range(0, k.shape[-2], block_size)
    blocks = [(q @ k[..., j:j + block_size, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5).astype(q.dtype).tolist() for j in starts]
    m = None
    for s in blocks:
        s = np.array(s, q.dtype).max(-1, keepdims=True)
        m = s if m is None else np.maximum(m, s)
    total = out = 0
    for j, s in zip(starts, blocks):
        p = np.exp(np.array(s, q.dtype) - m)
        total = total + p.sum(-1, keepdims=True)
        out = out + p @ v[..., j:j + block_size, :]
    return out / total
