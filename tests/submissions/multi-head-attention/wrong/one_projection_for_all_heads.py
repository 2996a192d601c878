# backend: torch
# mistake: none
# style: real-bug
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    d = w_q.shape[1] // num_heads
    dv = w_v.shape[1] // num_heads
    q, k, v = x @ w_q[:, :d], x @ w_k[:, :d], x @ w_v[:, :dv]
    s = (q @ k.mT / d ** 0.5).unsqueeze(-3).expand(*x.shape[:-2], num_heads, -1, -1)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return merge(s.softmax(-1).nan_to_num() @ v.unsqueeze(-3)) @ w_o
