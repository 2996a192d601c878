# backend: torch
# mistake: mask-inverted
# style: masked-fill
import torch

def causal_attention(q, k, v):
    m, n = q.shape[-2], k.shape[-2]
    tril = torch.ones(m, n, dtype=torch.bool, device=q.device).tril(n - m)
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(tril, float("-inf"))
    return s.softmax(-1).nan_to_num() @ v
