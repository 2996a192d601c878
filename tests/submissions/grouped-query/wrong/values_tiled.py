# backend: torch
# mistake: groups-tiled-once
import torch


def grouped_query_attention(q, k, v):
    g = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(g, dim=1)
    v = v.repeat(1, g, 1, 1)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v
