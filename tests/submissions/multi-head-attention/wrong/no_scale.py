# backend: torch
# mistake: scale-missing
# style: matmul
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = split(x @ w_q, num_heads), split(x @ w_k, num_heads), split(x @ w_v, num_heads)
    s = q @ k.transpose(-1, -2)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return merge(s.softmax(-1).nan_to_num() @ v) @ w_o
