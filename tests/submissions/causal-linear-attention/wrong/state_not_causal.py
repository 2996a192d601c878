# backend: torch
# mistake: none
# style: cumsum
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    top = q @ (k.mT @ v)
    return top / (q * k.cumsum(-2)).sum(-1, keepdim=True)
