# backend: torch
# mistake: linear-normaliser-not-causal
# Accumulates the numerator causally but divides by the sum over all keys, later ones included.
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    state = torch.cumsum(k.unsqueeze(-1) * v.unsqueeze(-2), dim=-3)
    num = torch.einsum("...nd,...ndv->...nv", q, state)
    den = (q * k.sum(dim=-2, keepdim=True)).sum(-1, keepdim=True)
    return num / den
