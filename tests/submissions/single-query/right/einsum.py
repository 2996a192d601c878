# backend: torch
# style: einsum
import torch

def attend(q, k, v):
    s = torch.einsum("d,nd->n", q, k) * q.numel() ** -0.5
    w = torch.exp(s - torch.logsumexp(s, 0))
    return torch.einsum("n,nv->v", w, v)
