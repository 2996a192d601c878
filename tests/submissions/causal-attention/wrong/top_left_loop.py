# backend: torch
# mistake: mask-top-left
# style: loops
import torch

def causal_attention(q, k, v):
    rows = []
    for i in range(q.shape[-2]):
        s = q[..., i:i + 1, :] @ k[..., :i + 1, :].transpose(-1, -2)
        rows.append((s / q.shape[-1] ** 0.5).softmax(-1) @ v[..., :i + 1, :])
    return torch.cat(rows, -2)
