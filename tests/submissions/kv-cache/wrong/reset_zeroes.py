# backend: numpy
# mistake: none
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.k = self.v = None

    def heads(self, x, w):
        y = x @ w
        return y.reshape(*y.shape[:2], self.h, w.shape[1] // self.h).transpose(0, 2, 1, 3)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        q, k, v = self.heads(x, w_q), self.heads(x, w_k), self.heads(x, w_v)
        if self.k is not None and self.k.shape[0] == len(x):
            k, v = np.concatenate([self.k, k], 2), np.concatenate([self.v, v], 2)
        self.k, self.v = k.copy(), v.copy()
        t, n = q.shape[2], k.shape[2]
        s = q @ k.swapaxes(2, 3) / q.shape[3] ** 0.5
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf).astype(x.dtype)
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        y = (w @ v).transpose(0, 2, 1, 3)
        return y.reshape(*y.shape[:2], w_o.shape[0]) @ w_o

    def reset(self):
        if self.k is not None:
            self.k[...] = 0
            self.v[...] = 0
