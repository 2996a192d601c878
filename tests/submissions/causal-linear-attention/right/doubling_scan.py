# backend: torch
# style: scan
import torch
import torch.nn.functional as F

def scan(x, dim):
    """Prefix sums by doubling, as on parallel hardware."""
    n, step = x.shape[dim], 1
    while step < n:
        x = torch.cat([x.narrow(dim, 0, step), x.narrow(dim, step, n - step) + x.narrow(dim, 0, n - step)], dim)
        step *= 2
    return x

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    s = scan(k.unsqueeze(-1) * v.unsqueeze(-2), -3 + k.ndim + 1)
    z = scan(k, k.ndim - 2)
    return torch.einsum("...nd,...nde->...ne", q, s) / (q * z).sum(-1, keepdim=True)
