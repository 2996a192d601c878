# backend: numpy
# mistake: cache-recomputes
# style: recompute
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.weights, self.h, self.seen = (w_q, w_k, w_v, w_o), num_heads, None

    def reset(self):
        self.seen = None

    def __call__(self, x):
        wq, wk, wv, wo = self.weights
        self.seen = x.copy() if self.seen is None else np.concatenate([self.seen, x], axis=1)
        n = self.seen.shape[1]
        heads = []
        for a, b, c in zip(*(np.split(w, self.h, 1) for w in (wq, wk, wv))):
            s = (self.seen @ a) @ (self.seen @ b).swapaxes(1, 2) / a.shape[1] ** 0.5
            s = np.where(np.tri(n, dtype=bool), s, -np.inf)
            e = np.exp(s - s.max(-1, keepdims=True))
            heads.append(e / e.sum(-1, keepdims=True) @ (self.seen @ c))
        return (np.concatenate(heads, -1) @ wo)[:, n - x.shape[1]:]
