# backend: torch
# mistake: linear-normaliser-missing
# style: einsum
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    kv = torch.einsum("...nd,...nv->...dv", phi(k), v)
    return torch.einsum("...md,...dv->...mv", phi(q), kv)
