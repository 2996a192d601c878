# backend: numpy
# mistake: scale-by-keys
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.cache = None

    def reset(self):
        self.cache = None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).swapaxes(1, 2) for w in self.weights)
        if self.cache is not None:
            k = np.concatenate((self.cache[0], k), axis=2)
            v = np.concatenate((self.cache[1], v), axis=2)
        self.cache = k, v
        n = k.shape[2]
        s = q @ k.swapaxes(-1, -2) / n**0.5
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf).astype(x.dtype)
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        return (w @ v).swapaxes(1, 2).reshape(b, t, -1) @ self.w_o
