# backend: torch
# mistake: residual-added
# style: extra
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split(x @ w, num_heads) for w in (w_q, w_k, w_v))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return x + merge(s.softmax(-1).nan_to_num() @ v) @ w_o
