# backend: torch
# mistake: sdpa-scale-unused
# breaks: scale-as-given
# style: no argument
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    m, n = q.shape[-2], k.shape[-2]
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    mask = seen & real[:, None, None, :]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
