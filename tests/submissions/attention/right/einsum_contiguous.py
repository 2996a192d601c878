# backend: torch
# style: any layout, any dtype
import torch


def attention(q, k, v):
    q, k, v = q.contiguous(), k.contiguous(), v.contiguous()
    scores = torch.einsum("...md,...nd->...mn", q, k) * q.size(-1) ** -0.5
    return torch.einsum("...mn,...nv->...mv", scores.softmax(-1), v)
