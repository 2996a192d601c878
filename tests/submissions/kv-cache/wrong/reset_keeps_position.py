# backend: numpy
# mistake: cache-position-not-reset
# reset forgets keys and values but not the position, so the mask after a reset lets queries see the future.
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = (w_q, w_k, w_v)
        self.w_o = w_o
        self.h = num_heads
        self.keys = self.values = None
        self.position = 0

    def reset(self):
        self.keys = self.values = None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).swapaxes(1, 2) for w in self.w)
        if self.keys is not None:
            k = np.concatenate([self.keys, k], axis=2)
            v = np.concatenate([self.values, v], axis=2)
        self.keys, self.values = k, v
        allowed = np.arange(k.shape[2])[None, :] <= self.position + np.arange(t)[:, None]
        self.position += t
        s = np.where(allowed, q @ k.swapaxes(2, 3) / np.sqrt(q.shape[-1]), -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        o = e / e.sum(-1, keepdims=True) @ v
        return o.swapaxes(1, 2).reshape(b, t, -1) @ self.w_o
