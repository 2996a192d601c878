# backend: numpy
# style: dtype
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o = w_q, w_k, w_v, w_o
        self.num_heads = num_heads
        self.reset()

    def reset(self):
        self.k = self.v = None

    def heads(self, y):
        b, t, width = y.shape
        return y.reshape(b, t, self.num_heads, width // self.num_heads).transpose(0, 2, 1, 3)

    def grown(self, past, new):
        if past is None:
            past = np.zeros((*new.shape[:2], 0, new.shape[-1]))
        return np.concatenate([past, new], axis=2)

    def __call__(self, x):
        q = self.heads(x @ self.w_q)
        self.k = self.grown(self.k, self.heads(x @ self.w_k))
        self.v = self.grown(self.v, self.heads(x @ self.w_v))
        t, n = q.shape[2], self.k.shape[2]
        s = q @ self.k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        s = np.where(np.tri(t, n, n - t, dtype=bool), s, -np.inf)
        w = np.exp(s - s.max(-1, keepdims=True))
        w = w / w.sum(-1, keepdims=True)
        return (w @ self.v).transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1) @ self.w_o
