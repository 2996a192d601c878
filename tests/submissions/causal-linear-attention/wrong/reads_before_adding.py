# backend: torch
# mistake: mask-excludes-self
# breaks: itself-included
# style: loops
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    S = v.new_zeros(*v.shape[:-2], k.shape[-1], v.shape[-1])
    z = torch.zeros_like(k[..., 0, :])
    outs = []
    for i in range(q.shape[-2]):
        # reads the state first, so that position i misses itself
        outs.append((q[..., i, :, None] * S).sum(-2) / (q[..., i, :] * z).sum(-1, keepdim=True))
        S = S + k[..., i, :, None] * v[..., i, None, :]
        z = z + k[..., i, :]
    return torch.stack(outs, -2)
