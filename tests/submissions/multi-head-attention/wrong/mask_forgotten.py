# backend: torch
# mistake: mask-missing
# style: matmul
import torch

def split(t, h):
    return t.reshape(*t.shape[:-1], h, t.shape[-1] // h).transpose(-3, -2)

def merge(t):
    t = t.transpose(-3, -2)
    return t.reshape(*t.shape[:-2], t.shape[-2] * t.shape[-1])

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q = split(torch.matmul(x, w_q), num_heads)
    k = split(torch.matmul(x, w_k), num_heads)
    v = split(torch.matmul(x, w_v), num_heads)
    w = torch.softmax(torch.matmul(q, k.mT) / q.size(-1) ** 0.5, -1)
    return torch.matmul(merge(torch.matmul(w, v)), w_o)
