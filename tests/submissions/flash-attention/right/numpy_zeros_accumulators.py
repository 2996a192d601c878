# backend: numpy
# style: dtype
import numpy as np

def flash_attention(q, k, v, block_size):
    lead, m = q.shape[:-2], q.shape[-2]
    top = np.full((*lead, m, 1), -np.inf)
    total = np.zeros((*lead, m, 1))
    out = np.zeros((*lead, m, v.shape[-1]))
    for start in range(0, k.shape[-2], block_size):
        stop = start + block_size
        s = q @ k[..., start:stop, :].swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        new = np.maximum(top, s.max(-1, keepdims=True))
        e, shrink = np.exp(s - new), np.exp(top - new)
        total = total * shrink + e.sum(-1, keepdims=True)
        out = out * shrink + e @ v[..., start:stop, :]
        top = new
    return out / total
