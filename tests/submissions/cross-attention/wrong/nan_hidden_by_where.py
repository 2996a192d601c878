# backend: torch
# mistake: gradient-not-finite
# Replaces the nan heads of an empty context by zeros only after the values were mixed: the result is right, but the gradients are nan.
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    split = lambda t: t.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is None:
        heads = s.softmax(-1) @ v
    else:
        s = s.masked_fill(~context_mask[:, None, None, :], float("-inf"))
        heads = s.softmax(-1) @ v
        real = context_mask.any(-1)[:, None, None, None]
        heads = torch.where(real, heads, torch.zeros_like(heads))
    return heads.transpose(1, 2).flatten(2) @ w_o
