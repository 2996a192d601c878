# backend: torch
# mistake: mask-nan-rows
# breaks: zeros-for-empty-rows
# style: masked-fill
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
        s = s.masked_fill(~mask, float("-inf"))
    return merge(s.softmax(-1) @ v) @ w_o
