# backend: torch
# style: unusual
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    if context_mask is None:
        context_mask = torch.ones(context.shape[:2], dtype=torch.bool)
    split = lambda y: y.unflatten(-1, (num_heads, -1)).transpose(0, 1)
    def one(x, c, ok):
        q, k, v = split(x @ w_q), split(c @ w_k), split(c @ w_v)
        s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~ok, torch.finfo(x.dtype).min)
        return ((s.softmax(-1) * ok) @ v).transpose(0, 1).flatten(1) @ w_o
    return torch.vmap(one)(x, context, context_mask)
