# backend: torch
# mistake: none
# style: preallocated-cache
import torch

class CachedAttention:
    """Attends to the whole buffer, the empty places included."""

    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        self.wq, self.wk, self.wv, self.wo, self.h = w_q, w_k, w_v, w_o, num_heads
        self.reset()

    def reset(self):
        self.pos, self.k, self.v = 0, None, None

    def __call__(self, x):
        cut = lambda y: y.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = cut(x @ self.wq), cut(x @ self.wk), cut(x @ self.wv)
        outs = []
        for i in range(x.shape[1]):
            if self.k is None:
                self.k = k.new_zeros(*k.shape[:2], 64, k.shape[3])
                self.v = v.new_zeros(*v.shape[:2], 64, v.shape[3])
            self.k = self.k.index_copy(2, torch.tensor([self.pos], device=x.device), k[:, :, i:i + 1])
            self.v = self.v.index_copy(2, torch.tensor([self.pos], device=x.device), v[:, :, i:i + 1])
            self.pos += 1
            s = q[:, :, i:i + 1] @ self.k.mT / q.shape[-1] ** 0.5
            outs.append(s.softmax(-1) @ self.v)
        return torch.cat(outs, 2).transpose(1, 2).flatten(2) @ self.wo
