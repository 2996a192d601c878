# backend: torch
# style: two triangles
import torch


def sliding_window_attention(q, k, v, window):
    m, n = q.size(-2), k.size(-2)
    every = torch.ones(m, n, dtype=torch.bool, device=q.device)
    seen = every.tril(n - m) & ~every.tril(n - m - window)
    scores = torch.einsum("...md,...nd->...mn", q, k) * q.size(-1) ** -0.5
    return torch.where(seen, scores, -torch.inf).softmax(-1) @ v
