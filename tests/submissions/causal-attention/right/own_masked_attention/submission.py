# backend: torch
# style: two files
import torch
from masked_attention import masked_attention


def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    mask = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    return masked_attention(q, k, v, mask)
