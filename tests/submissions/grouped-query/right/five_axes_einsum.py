# backend: torch
# style: any layout, any dtype
import torch


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    grouped = q.reshape(b, k.shape[1], h // k.shape[1], m, d)
    scores = torch.einsum("bgrmd,bgnd->bgrmn", grouped, k) / d**0.5
    out = torch.einsum("bgrmn,bgnv->bgrmv", scores.softmax(-1), v)
    return out.reshape(b, h, m, v.shape[-1])
