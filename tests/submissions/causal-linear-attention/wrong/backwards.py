# backend: torch
# mistake: mask-future-only
# style: flip
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    k, v2 = k.flip(-2), v.flip(-2)
    states = (k[..., :, None] * v2[..., None, :]).cumsum(-3).flip(-3)
    top = (q[..., None, :] @ states)[..., 0, :]
    return top / (q * k.cumsum(-2).flip(-2)).sum(-1, keepdim=True)
