# backend: numpy
# mistake: cache-chunk-leaks-future
# style: numpy
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.ks, self.vs = [], []

    def __call__(self, x):
        self.ks.append(x @ self.w_k)
        self.vs.append(x @ self.w_v)
        q, k, v = x @ self.w_q, np.concatenate(self.ks, 1), np.concatenate(self.vs, 1)
        heads = []
        for a, b, c in zip(*(np.split(y, self.h, -1) for y in (q, k, v))):
            s = a @ b.swapaxes(1, 2) / a.shape[-1] ** 0.5
            e = np.exp(s - s.max(-1, keepdims=True))
            heads.append(e / e.sum(-1, keepdims=True) @ c)
        return np.concatenate(heads, -1) @ self.w_o
