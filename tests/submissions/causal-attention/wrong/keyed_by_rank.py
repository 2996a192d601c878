# backend: torch
# mistake: none
# style: by rank
import torch


def causal_attention(q, k, v):
    m, n, d = q.shape[-2], k.shape[-2], q.shape[-1]
    hidden = torch.ones(m, n, dtype=torch.bool).triu(n - m + 1)
    if q.dim() <= 4:
        s = torch.matmul(q, k.transpose(-1, -2)) / d**0.5
        return s.masked_fill(hidden, -torch.inf).softmax(-1) @ v
    q, k, v = (x.flatten(0, -4) for x in (q, k, v))
    s = torch.einsum("bhid,bhjd->bhij", q, k) / d**0.5
    return s.masked_fill(hidden, -torch.inf).softmax(-1) @ v
