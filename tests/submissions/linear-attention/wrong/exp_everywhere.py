# backend: torch
# mistake: linear-feature-map-wrong
# style: adversarial
import torch

def phi(x):
    return x.exp()

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    kv = torch.einsum("...nd,...ne->...de", k, v)
    z = torch.einsum("...md,...d->...m", q, k.sum(-2))
    return torch.einsum("...md,...de->...me", q, kv) / z[..., None]
