# backend: torch
import torch
from torch.utils.checkpoint import checkpoint


def _row(q, k, v):
    s = (k @ q[..., :, None])[..., 0] / q.shape[-1] ** 0.5
    return (s.softmax(-1)[..., None, :] @ v)[..., 0, :]


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    rows = []
    for i in range(m):
        last = i + n - m + 1
        rows.append(
            checkpoint(_row, q[..., i, :], k[..., :last, :], v[..., :last, :], use_reentrant=False)
        )
    return torch.stack(rows, dim=-2)
