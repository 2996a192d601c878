# backend: torch
# style: mask of 0 and -inf
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    m, n = q.shape[2], k.shape[2]
    mask = torch.zeros(len(q), 1, m, n, dtype=q.dtype, device=q.device)
    mask = mask.masked_fill(~real[:, None, None, :], -torch.inf)
    later = torch.ones(m, n, dtype=torch.bool, device=q.device).triu(n - m + 1)
    mask = mask.masked_fill(later, -torch.inf)
    return F.scaled_dot_product_attention(q, k, v, mask, 0.0, False, scale=scale, enable_gqa=True)
