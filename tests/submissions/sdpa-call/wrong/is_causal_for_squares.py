# backend: torch
# mistake: mask-square-only
# breaks: queries-are-last
# style: only where there are as many
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    m, n = q.shape[-2], k.shape[-2]
    mask = real[:, None, None, :].expand(-1, -1, m, n)
    if m == n:
        mask = mask & torch.ones(m, n, dtype=torch.bool, device=q.device).tril()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)
