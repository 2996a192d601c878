# backend: torch
# mistake: mask-excludes-self
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    state = k[..., 0, :, None] * v[..., 0, None, :]
    total = k[..., 0, :]
    rows = []
    for i in range(q.shape[-2]):
        qi = q[..., i, :]
        rows.append((qi[..., None, :] @ state)[..., 0, :] / (qi * total).sum(-1, keepdim=True))
        if i:
            state = state + k[..., i, :, None] * v[..., i, None, :]
            total = total + k[..., i, :]
    return torch.stack(rows, -2)
