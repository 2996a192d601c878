# backend: torch
# style: repeat_interleave
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    groups = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(groups, dim=1)
    v = v.repeat_interleave(groups, dim=1)
    m, n = q.shape[2], k.shape[2]
    place = torch.arange(n - m, n, device=q.device)
    mask = torch.arange(n, device=q.device)[None, :] <= place[:, None]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask & real[:, None, None], scale=scale)
