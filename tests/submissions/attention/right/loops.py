# backend: torch
# style: loops
import torch

def attention(q, k, v):
    # one query at a time, one output row at a time
    rows = []
    for i in range(q.shape[-2]):
        qi = q[..., i, :].unsqueeze(-2)
        s = (qi * k).sum(-1) / q.shape[-1] ** 0.5
        w = torch.softmax(s, dim=-1)
        rows.append((w.unsqueeze(-1) * v).sum(-2))
    return torch.stack(rows, dim=-2)
