# backend: torch
# style: einsum
import torch
import torch.nn.functional as F

def linear_attention(q, k, v):
    phi = lambda t: F.elu(t) + 1
    kv = torch.einsum("...nd,...nv->...dv", phi(k), v)
    z = torch.einsum("...md,...d->...m", phi(q), phi(k).sum(-2))
    return torch.einsum("...md,...dv->...mv", phi(q), kv) / z[..., None]
