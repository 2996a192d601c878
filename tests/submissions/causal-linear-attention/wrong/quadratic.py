# backend: torch
# mistake: linear-quadratic
# breaks: table-of-weights
# style: mask
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    a = (q @ k.mT).tril()
    return a @ v / a.sum(-1, keepdim=True)
