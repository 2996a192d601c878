# backend: numpy
# style: unusual
import numpy as np

def padded_attention(q, k, v, lengths):
    real = np.less.outer(np.arange(k.shape[1]), lengths).T[:, None]
    s = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(q.shape[-1]).astype(q.dtype)
    e = np.exp(s - np.where(real, s, -np.inf).max(-1, keepdims=True, initial=np.finfo(s.dtype).min), where=real, out=np.zeros_like(s))
    return e @ v / np.maximum(e.sum(-1, keepdims=True), np.finfo(s.dtype).tiny)
