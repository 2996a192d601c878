# backend: torch
# style: slices
import torch


def sliding_window_attention(q, k, v, window):
    first = k.shape[-2] - q.shape[-2]
    out = []
    for place in range(q.shape[-2]):
        stop = first + place + 1
        near = slice(max(stop - window, 0), stop)
        score = (q[..., place : place + 1, :] * k[..., near, :]).sum(-1) / q.shape[-1] ** 0.5
        out.append((score.softmax(-1).unsqueeze(-1) * v[..., near, :]).sum(-2))
    return torch.stack(out, -2)
