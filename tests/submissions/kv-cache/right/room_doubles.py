# backend: numpy
import numpy as np


class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.w_o, self.h = (w_q, w_k, w_v), w_o, num_heads
        self.reset()

    def reset(self):
        self.n, self.kept = 0, [None, None]

    def keep(self, which, new):
        kept, t = self.kept[which], new.shape[2]
        if kept is None or self.n + t > kept.shape[2]:
            bigger = np.empty((*new.shape[:2], 2 * (self.n + t), new.shape[3]), new.dtype)
            if kept is not None:
                bigger[:, :, : self.n] = kept[:, :, : self.n]
            self.kept[which] = kept = bigger
        kept[:, :, self.n : self.n + t] = new
        return kept[:, :, : self.n + t]

    def __call__(self, x):
        b, t, _ = x.shape
        q, k, v = ((x @ w).reshape(b, t, self.h, w.shape[1] // self.h).swapaxes(1, 2) for w in self.weights)
        keys, values = self.keep(0, k), self.keep(1, v)
        self.n += t
        scores = q @ keys.swapaxes(-1, -2) / q.shape[-1] ** 0.5
        scores = np.where(np.tri(t, self.n, self.n - t, dtype=bool), scores, -np.inf)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        out = e / e.sum(-1, keepdims=True) @ values
        return out.swapaxes(1, 2).reshape(b, t, -1) @ self.w_o
