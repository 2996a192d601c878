# backend: torch
# mistake: precision-lost
# style: dtype
from torch.nn.functional import elu

def linear_attention(q, k, v):
    f, g = elu(q.float()) + 1, elu(k.float()) + 1
    return (f @ (g.mT @ v.float()) / (f @ g.sum(-2).unsqueeze(-1) + 1e-6)).to(q.dtype)
