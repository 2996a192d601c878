# backend: numpy
# mistake: cache-wrong-axis
# style: numpy
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.k = self.v = None

    def reset(self):
        self.k = self.v = None

    def __call__(self, x):
        cut = lambda y: np.stack(np.split(y, self.h, -1), 1)
        q, k, v = cut(x @ self.w_q), cut(x @ self.w_k), cut(x @ self.w_v)
        if self.k is not None:
            k, v = np.concatenate([self.k, k]), np.concatenate([self.v, v])
        self.k, self.v = k, v
        t, n = q.shape[2], k.shape[2]
        s = np.where(np.tri(t, n, n - t, dtype=bool), q @ k.swapaxes(2, 3) / q.shape[-1] ** 0.5, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        o = e / e.sum(-1, keepdims=True) @ v
        return np.concatenate([o[:, i] for i in range(self.h)], -1) @ self.w_o
