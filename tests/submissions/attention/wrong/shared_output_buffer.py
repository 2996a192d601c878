# backend: numpy
# mistake: result-overwritten
# Writes the result into a buffer kept per shape, so the next call of the same shape overwrites an earlier result.
import numpy as np

_buffers = {}

def _buffer(shape, dtype):
    key = (shape, np.dtype(dtype).str)
    if key not in _buffers:
        _buffers[key] = np.empty(shape, dtype)
    return _buffers[key]

def attention(q, k, v):
    s = np.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(np.asarray(q.shape[-1], dtype=q.dtype))
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    out = _buffer(s.shape[:-1] + v.shape[-1:], v.dtype)
    return np.matmul(s, v, out=out)
