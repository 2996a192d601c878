# backend: torch
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    n = x.shape[-2]
    shape = (*x.shape[:-1], num_heads, -1)
    q, k, v = ((x @ w).reshape(*x.shape[:-1], num_heads, w.shape[1] // num_heads) for w in (w_q, w_k, w_v))
    s = torch.einsum("...ihd,...jhd->...hij", q, k) / q.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones(n, n, dtype=torch.bool)
    s = torch.where(mask, s, torch.finfo(s.dtype).min)
    w = s.softmax(dim=-1) * mask
    heads = torch.einsum("...hij,...jhv->...ihv", w, v)
    return heads.flatten(-2) @ w_o
