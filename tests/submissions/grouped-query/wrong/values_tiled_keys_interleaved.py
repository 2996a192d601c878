# backend: torch
# mistake: groups-tiled-once
# Repeats the key heads side by side but the value heads in turns.
import torch

def grouped_query_attention(q, k, v):
    groups = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(groups, dim=1)
    v = v.repeat(1, groups, 1, 1)
    s = torch.matmul(q, k.transpose(2, 3)) / q.shape[-1] ** 0.5
    return torch.matmul(s.softmax(-1), v)
