# backend: numpy
# style: broadcasting
import numpy as np

def flash_attention(q, k, v, block_size):
    top = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    total = np.zeros_like(top)
    out = np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
    root = q.dtype.type(np.sqrt(q.shape[-1]))
    for a in range(0, k.shape[-2], block_size):
        K, V = k[..., None, a:a + block_size, :], v[..., None, a:a + block_size, :]
        s = (q[..., :, None, :] * K).sum(-1) / root
        new = np.maximum(top, s.max(-1, keepdims=True))
        p, f = np.exp(s - new), np.exp(top - new)
        total = total * f + p.sum(-1, keepdims=True)
        out = out * f + (p[..., None] * V).sum(-2)
        top = new
    return out / total
