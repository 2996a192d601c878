# backend: torch
# mistake: none
# style: epsilon
import torch


def grouped_query_attention(q, k, v):
    repeat = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(repeat, 1), v.repeat_interleave(repeat, 1)
    s = q @ k.mT / q.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e / (e.sum(-1, keepdim=True) + 1e-8) @ v
