# backend: numpy
# mistake: result-overwritten
# style: numpy, the result goes into a buffer that is kept by shape
import numpy as np

BUFFERS = {}


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    weights = exponentials / exponentials.sum(-1, keepdims=True)
    shape = (*q.shape[:-1], v.shape[-1])
    out = BUFFERS.setdefault((shape, q.dtype), np.empty(shape, q.dtype))
    return np.matmul(weights, v, out=out)
