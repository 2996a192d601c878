# backend: torch
# mistake: none
# style: adversarial
import math
import torch


def core(q, k, v, allowed=None):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    if allowed is not None:
        if allowed.dim() == 2 and s.dim() > 2 and allowed.shape[0] == s.shape[0]:
            allowed = allowed.reshape(len(allowed), *[1] * (s.dim() - 2), -1)
        s = s.masked_fill(~allowed, float("-inf"))
    w = torch.softmax(s, -1).nan_to_num(0.0)
    out = w @ v
    return out


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = ((x @ w).unflatten(-1, (num_heads, -1)).transpose(-2, -3) for w in (w_q, w_k, w_v))
    return core(q, k, v, mask).transpose(-2, -3).flatten(-2) @ w_o
