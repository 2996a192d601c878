# backend: torch
# mistake: none
# style: cumsum
import torch
import torch.nn.functional as F

def phi(x):
    return F.elu(x) + 1

def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    state = (k[..., :, None] * v[..., None, :]).cumsum(-3)
    total = k.cumsum(-2)
    m = q.shape[-2]
    last = [min(i, k.shape[-2] - 1) for i in range(m)]
    num = (q[..., :, :, None] * state[..., last, :, :]).sum(-2)
    return num / (q * total[..., last, :]).sum(-1, keepdim=True)
