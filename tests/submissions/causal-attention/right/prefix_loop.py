# backend: torch
# style: loops
import torch

def causal_attention(q, k, v):
    past = k.shape[-2] - q.shape[-2]
    rows = []
    for i in range(q.shape[-2]):
        seen = past + i + 1
        s = q[..., i:i + 1, :] @ k[..., :seen, :].transpose(-1, -2) / q.shape[-1] ** 0.5
        rows.append(s.softmax(-1) @ v[..., :seen, :])
    return torch.cat(rows, dim=-2)
