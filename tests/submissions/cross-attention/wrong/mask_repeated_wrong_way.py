# backend: torch
# mistake: mask-repeated-in-wrong-order
# style: real-bug
import torch

def split(y, h):
    return y.reshape(*y.shape[:2], h, y.shape[-1] // h).transpose(1, 2)

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    b, m, n, h = x.shape[0], x.shape[1], context.shape[1], num_heads
    q, k, v = (split(y, h).flatten(0, 1) for y in (x @ w_q, context @ w_k, context @ w_v))
    s = torch.bmm(q, k.mT) / q.shape[-1] ** 0.5
    if context_mask is not None:
        # repeat gives b0 b1 b0 b1; the scores are ordered b0 b0 b1 b1
        s = s.masked_fill(~context_mask.repeat(h, 1)[:, None, :], float("-inf"))
    w = s.softmax(-1).nan_to_num()
    return torch.bmm(w, v).unflatten(0, (b, h)).transpose(1, 2).flatten(2) @ w_o
