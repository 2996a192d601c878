# backend: torch
# mistake: sdpa-scale-divides
# breaks: scale-as-given
# style: one over it
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    m, n = q.shape[-2], k.shape[-2]
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    mask = seen & real[:, None, None, :]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=None if scale is None else 1 / scale, enable_gqa=True)
