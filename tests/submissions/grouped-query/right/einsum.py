# backend: torch
# style: einsum
import torch

def grouped_query_attention(q, k, v):
    q = q.unflatten(1, (k.shape[1], q.shape[1] // k.shape[1]))
    s = torch.einsum("bgrmd,bgnd->bgrmn", q, k) * q.shape[-1] ** -0.5
    return torch.einsum("bgrmn,bgnv->bgrmv", s.softmax(-1), v).flatten(1, 2)
