# backend: torch
# mistake: none
# Takes context_mask as a keyword only, so the brief's own positional call raises.
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, *, context_mask=None):
    split = lambda t: t.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    q, k, v = split(x @ w_q), split(context @ w_k), split(context @ w_v)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if context_mask is not None:
        closed = ~context_mask[:, None, None, :]
        w = s.masked_fill(closed, -torch.inf).softmax(-1).masked_fill(closed, 0)
    else:
        w = s.softmax(-1)
    return (w @ v).transpose(1, 2).flatten(2) @ w_o
