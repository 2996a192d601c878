# backend: numpy
# mistake: none
# Keeps only the last 256 tokens (a sliding window), so older ones are forgotten.
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.k = self.v = None

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, -1).transpose(0, 2, 1, 3) for w in (self.w_q, self.w_k, self.w_v))
        if self.k is not None:
            k, v = np.concatenate([self.k, k], 2), np.concatenate([self.v, v], 2)
        self.k, self.v = k[:, :, -256:], v[:, :, -256:]
        n = k.shape[2]
        s = np.where(np.tri(t, n, n - t, dtype=bool), q @ k.swapaxes(2, 3) / q.shape[-1] ** 0.5, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        return (e / e.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(b, t, -1) @ self.w_o
