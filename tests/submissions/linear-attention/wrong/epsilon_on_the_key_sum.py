# backend: torch
# mistake: none
# Adds 1e-6 to the sum of the keys' features, not to the divisor: the divisor grows by 1e-6 times the sum of the query's features.
import torch
import torch.nn.functional as F

def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    k_sum = k.sum(dim=-2) + 1e-6
    d_inv = 1.0 / torch.einsum("...nd,...d->...n", q, k_sum)
    context = torch.einsum("...nd,...ne->...de", k, v)
    return torch.einsum("...de,...nd,...n->...ne", context, q, d_inv)
