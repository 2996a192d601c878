# backend: numpy
# mistake: none
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w = w_q, w_k, w_v, w_o
        self.h = num_heads
        self.reset()

    def heads(self, x, w):
        y = x @ w
        return y.reshape(*y.shape[:2], self.h, w.shape[1] // self.h).transpose(0, 2, 1, 3)

    def __call__(self, x):
        w_q, w_k, w_v, w_o = self.w
        self.x = x.copy() if self.x is None else np.concatenate([self.x, x], 1)
        q = self.heads(x, w_q)
        if x.shape[1] > 1 or self.k is None:
            k, v = self.heads(self.x, w_k), self.heads(self.x, w_v)
        else:
            k = np.concatenate([self.k, self.heads(x, w_k)], 2)
            v = np.concatenate([self.v, self.heads(x, w_v)], 2)
        self.k, self.v = k, v
        t, n = q.shape[2], k.shape[2]
        s = q @ k.swapaxes(2, 3) / q.shape[3] ** 0.5
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf).astype(x.dtype)
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        y = (w @ v).transpose(0, 2, 1, 3)
        return y.reshape(*y.shape[:2], w_o.shape[0]) @ w_o

    def reset(self):
        self.k = self.v = self.x = None
