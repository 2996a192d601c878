# backend: torch
# mistake: none
# style: size
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q[..., :64]) + 1, F.elu(k[..., :64]) + 1
    s = torch.einsum("...nd,...ne->...nde", k, v).cumsum(-3)
    return torch.einsum("...nd,...nde->...ne", q, s) / (q * k.cumsum(-2)).sum(-1, keepdim=True)
