# backend: torch
# mistake: groups-queries-averaged
import torch


def grouped_query_attention(q, k, v):
    b, h, m, d = q.shape
    groups = k.shape[1]
    mean = q.view(b, groups, h // groups, m, d).mean(2) if q.is_contiguous() else q.reshape(
        b, groups, h // groups, m, d
    ).mean(2)
    out = torch.softmax(mean @ k.mT / d**0.5, -1) @ v
    return out.repeat_interleave(h // groups, dim=1)
