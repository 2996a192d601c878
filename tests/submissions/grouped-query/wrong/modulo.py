# backend: torch
# mistake: groups-tiled
# breaks: neighbours-share
# style: per-head
import torch

def grouped_query_attention(q, k, v):
    outs = []
    for i in range(q.shape[1]):
        g = i % k.shape[1]
        outs.append((q[:, i] @ k[:, g].mT / q.shape[-1] ** 0.5).softmax(-1) @ v[:, g])
    return torch.stack(outs, 1)
