# backend: torch
# mistake: none
# style: rounding
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = k[..., :, None] * v[..., None, :]
    later = kv.flip(-3).cumsum(-3).flip(-3) - kv
    state = kv.sum(-3, keepdim=True) - later
    later_k = k.flip(-2).cumsum(-2).flip(-2) - k
    total = k.sum(-2, keepdim=True) - later_k
    return (q[..., None, :] @ state)[..., 0, :] / (q * total).sum(-1, keepdim=True)
