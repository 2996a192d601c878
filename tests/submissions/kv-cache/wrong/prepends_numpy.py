# backend: numpy
# mistake: cache-prepends
# style: numpy
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.kv = None

    def __call__(self, x):
        new = np.concatenate([x @ self.w_k, x @ self.w_v], -1)
        self.kv = new if self.kv is None else np.concatenate([new, self.kv], 1)
        dk = self.w_k.shape[1]
        q, k, v = x @ self.w_q, self.kv[..., :dk], self.kv[..., dk:]
        t, n = x.shape[1], k.shape[1]
        heads = []
        for a, b, c in zip(*(np.split(y, self.h, -1) for y in (q, k, v))):
            s = np.where(np.tri(t, n, n - t, dtype=bool), a @ b.swapaxes(1, 2) / a.shape[-1] ** 0.5, -np.inf)
            e = np.exp(s - s.max(-1, keepdims=True))
            heads.append(e / e.sum(-1, keepdims=True) @ c)
        return np.concatenate(heads, -1) @ self.w_o
