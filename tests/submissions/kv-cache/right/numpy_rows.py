# backend: numpy
# style: numpy-loops
import numpy as np

class CachedAttention:
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.w_q, self.w_k, self.w_v, self.w_o, self.h = w_q, w_k, w_v, w_o, num_heads
        self.ks, self.vs = [], []

    def reset(self):
        self.ks, self.vs = [], []

    def __call__(self, x):
        outs = []
        for i in range(x.shape[1]):
            row = x[:, i]
            self.ks.append(row @ self.w_k)
            self.vs.append(row @ self.w_v)
            K, V = np.stack(self.ks, 1), np.stack(self.vs, 1)
            heads = []
            for q, k, v in zip(*(np.split(a, self.h, -1) for a in (row @ self.w_q, K, V))):
                s = (k * q[:, None]).sum(-1) / q.shape[-1] ** 0.5
                e = np.exp(s - s.max(-1, keepdims=True))
                heads.append(((e / e.sum(-1, keepdims=True))[..., None] * v).sum(1))
            outs.append(np.concatenate(heads, -1) @ self.w_o)
        return np.stack(outs, 1)
