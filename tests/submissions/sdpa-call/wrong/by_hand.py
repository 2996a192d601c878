# backend: torch
# mistake: sdpa-by-hand
# breaks: no-array-of-scores
# style: three lines
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    m, n = q.shape[-2], k.shape[-2]
    seen = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    mask = seen & real[:, None, None, :]
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num()
    return weights @ v
