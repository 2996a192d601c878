# backend: torch
# style: index-comparison
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    pos_q = torch.arange(n - m, n, device=q.device)[:, None]
    pos_k = torch.arange(n, device=q.device)[None, :]
    s = torch.einsum("...md,...nd->...mn", q, k) * q.shape[-1] ** -0.5
    s = torch.where(pos_k <= pos_q, s, -torch.inf)
    return torch.einsum("...mn,...nv->...mv", s.softmax(-1), v)
