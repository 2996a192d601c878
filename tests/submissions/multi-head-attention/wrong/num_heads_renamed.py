# backend: torch
# mistake: none
# Calls the parameter h, so the brief's own call with num_heads=2 raises.
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, h, mask=None):
    split = lambda t: t.unflatten(-1, (h, -1)).transpose(-2, -3)
    q, k, v = split(x @ w_q), split(x @ w_k), split(x @ w_v)
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    w = s.softmax(-1)
    if mask is not None:
        w = w.masked_fill(~mask, 0)
    return (w @ v).transpose(-2, -3).flatten(-2) @ w_o
