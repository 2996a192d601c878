# backend: numpy
# mistake: none
# What is kept is copied when it grows, but only the keys are.
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.reset()

    def reset(self):
        self.n, self.room, self.k, self.v = 0, 64, None, None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).swapaxes(1, 2) for w in self.weights)
        if self.k is None:
            self.k = np.zeros((b, self.h, self.room, k.shape[-1]), x.dtype)
            self.v = np.zeros((b, self.h, self.room, v.shape[-1]), x.dtype)
        while self.n + t > self.room:
            self.room *= 2
            bigger = np.zeros((b, self.h, self.room, k.shape[-1]), x.dtype)
            bigger[:, :, : self.n] = self.k[:, :, : self.n]
            self.k = bigger
            self.v = np.zeros((b, self.h, self.room, v.shape[-1]), x.dtype)
        self.k[:, :, self.n : self.n + t] = k
        self.v[:, :, self.n : self.n + t] = v
        self.n += t
        keys, values = self.k[:, :, : self.n], self.v[:, :, : self.n]
        scores = q @ keys.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        scores = np.where(np.tri(t, self.n, self.n - t, dtype=bool), scores, -np.inf)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        out = e / e.sum(-1, keepdims=True) @ values
        return out.swapaxes(1, 2).reshape(b, t, -1) @ self.w_o
