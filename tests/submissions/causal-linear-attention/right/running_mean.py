# backend: torch
# style: recurrent
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    # the state as the mean of the values of each feature, moved towards the new value
    q, k = F.elu(q) + 1, F.elu(k) + 1
    total = torch.zeros_like(k[..., 0, :])
    mean = torch.zeros(*k.shape[:-2], k.shape[-1], v.shape[-1], dtype=v.dtype)
    rows = []
    for i in range(k.shape[-2]):
        total = total + k[..., i, :]
        mean = mean + (k[..., i, :] / total).unsqueeze(-1) * (v[..., i, :].unsqueeze(-2) - mean)
        w = q[..., i, :] * total
        rows.append(((w / w.sum(-1, keepdim=True)).unsqueeze(-2) @ mean).squeeze(-2))
    return torch.stack(rows, -2)
