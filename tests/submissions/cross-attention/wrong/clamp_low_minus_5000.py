# backend: torch
# mistake: none
# style: adversarial
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    s = s.clamp(min=-5000.0)
    if allowed is not None:
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    q, k, v = ((y @ w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for y, w in ((x, w_q), (context, w_k), (context, w_v)))
    allowed = None if context_mask is None else context_mask[:, None, None, :]
    return core(q, k, v, allowed).transpose(1, 2).flatten(2) @ w_o
