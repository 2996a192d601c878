# backend: torch
# mistake: linear-feature-map-on-one-side
import torch
from torch.nn.functional import elu


def linear_attention(q, k, v):
    q = elu(q) + 1
    context = torch.einsum("...nd,...ne->...de", k, v)
    norm = torch.einsum("...md,...d->...m", q, k.sum(dim=-2)).unsqueeze(-1)
    return torch.einsum("...md,...de->...me", q, context) / norm
