# backend: torch
# mistake: scale-by-value-width
import torch


def grouped_query_attention(q, k, v):
    times = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(times, 1), v.repeat_interleave(times, 1)
    s = q @ k.mT / v.shape[-1] ** 0.5
    return s.softmax(-1) @ v
