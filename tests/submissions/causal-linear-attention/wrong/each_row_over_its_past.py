# backend: torch
# mistake: linear-quadratic
# Compares each query with all keys up to its own, row by row: no n x n array, but a cost of n squared.
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    rows = []
    for i in range(q.shape[-2]):
        w = (q[..., i : i + 1, :] @ k[..., : i + 1, :].mT)
        rows.append(w @ v[..., : i + 1, :] / w.sum(-1, keepdim=True))
    return torch.cat(rows, dim=-2)
