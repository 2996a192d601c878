# backend: torch
# mistake: precision-lost
# style: mixed precision
import torch


def grouped_query_attention(q, k, v):
    repeat = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(repeat, 1), v.repeat_interleave(repeat, 1)
    s = q.to(torch.bfloat16) @ k.to(torch.bfloat16).mT / q.shape[-1] ** 0.5
    return s.to(q.dtype).softmax(-1) @ v
