# backend: torch
# style: slope times the key's position, which differs by the same number for all keys of a query
import torch


def alibi_attention(q, k, v):
    h, m, n = q.size(-3), q.size(-2), k.size(-2)
    slopes = torch.exp2(-8 * torch.arange(1, h + 1, device=q.device, dtype=torch.float64) / h)
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    toward_end = torch.arange(n, device=q.device) - (n - 1)  # 0 for the last key
    bias = (slopes[:, None] * toward_end).to(q.dtype)[:, None, :]
    scores = torch.einsum("...md,...nd->...mn", q, k) * q.size(-1) ** -0.5
    return torch.where(seen, scores + bias, -torch.inf).softmax(-1) @ v
