# backend: torch
# style: einsum
import torch

def attention(q, k, v):
    d = q.size(-1)
    scores = torch.einsum("...md,...nd->...mn", q, k) * d ** -0.5
    return torch.einsum("...mn,...nv->...mv", torch.softmax(scores, -1), v)
