# backend: torch
# style: module
import torch
from torch import nn


class MultiHead(nn.Module):
    def __init__(self, w_q, w_k, w_v, w_o, num_heads):
        super().__init__()
        self.heads = num_heads
        self.q, self.k, self.v, self.o = (self.layer(w) for w in (w_q, w_k, w_v, w_o))

    @staticmethod
    def layer(w):
        linear = nn.Linear(*w.shape, bias=False, dtype=w.dtype)
        linear.weight.data.copy_(w.T)
        return linear

    def split(self, y):
        return y.reshape(*y.shape[:-1], self.heads, -1).transpose(-2, -3)

    def forward(self, x, mask):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(x.dtype).min)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
        heads = weights @ v
        return self.o(heads.transpose(-2, -3).flatten(-2))


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    return MultiHead(w_q, w_k, w_v, w_o, num_heads)(x, mask)
