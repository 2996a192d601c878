# backend: torch
# style: the queries of a group side by side
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    b, h, m, d = q.shape
    shared, n = k.shape[1], k.shape[2]
    together = q.reshape(b, shared, h // shared * m, d)
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    seen = (seen & real[:, None, :]).repeat(1, h // shared, 1)
    out = F.scaled_dot_product_attention(together, k, v, attn_mask=seen[:, None], scale=scale)
    return out.reshape(b, h, m, v.shape[-1])
