# backend: torch
# mistake: scale-multiplied, weights-transposed
# style: einsum
import torch

def attention(q, k, v):
    s = torch.einsum("...md,...nd->...mn", q, k) * q.shape[-1] ** 0.5
    return torch.einsum("...nm,...nv->...mv", s.softmax(-1), v)
