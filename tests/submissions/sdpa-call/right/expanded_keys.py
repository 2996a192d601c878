# backend: torch
# style: expand and flatten; the root by hand
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    b, h, m, d = q.shape
    groups = h // k.shape[1]
    k = k[:, :, None].expand(-1, -1, groups, -1, -1).flatten(1, 2)
    v = v[:, :, None].expand(-1, -1, groups, -1, -1).flatten(1, 2)
    n = k.shape[2]
    hidden = torch.triu(torch.ones(m, n, device=q.device), n - m + 1).bool() | ~real.view(b, 1, 1, n)
    factor = d**-0.5 if scale is None else scale
    return F.scaled_dot_product_attention(q * factor, k, v, attn_mask=~hidden, scale=1.0)
