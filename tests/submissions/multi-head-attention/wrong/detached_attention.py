# backend: torch
# mistake: not-differentiable
# style: detach
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    with torch.no_grad():
        q, k = split(x @ w_q, num_heads), split(x @ w_k, num_heads)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, -torch.inf)
        w = s.softmax(-1).nan_to_num()
    return merge(w @ split(x @ w_v, num_heads)) @ w_o
