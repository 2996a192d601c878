# backend: torch
# mistake: linear-quadratic
# style: einsum
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    s = torch.einsum("...md,...nd->...mn", phi(q), phi(k))
    return torch.einsum("...mn,...nv->...mv", s, v) / s.sum(-1).unsqueeze(-1)
