# backend: torch
# mistake: linear-normaliser-not-causal
# style: cumsum
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    states = (k[..., :, None] * v[..., None, :]).cumsum(-3)
    top = (q[..., None, :] @ states)[..., 0, :]
    return top / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True)
