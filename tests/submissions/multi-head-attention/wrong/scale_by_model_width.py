# backend: torch
# mistake: scale-by-d-model
# breaks: scale-of-one-head
# style: matmul
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q, k, v = (split(x @ w, num_heads) for w in (w_q, w_k, w_v))
    scores = torch.matmul(q, k.transpose(-2, -1)) / x.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    attn = torch.nan_to_num(torch.softmax(scores, dim=-1))
    return merge(torch.matmul(attn, v)) @ w_o
