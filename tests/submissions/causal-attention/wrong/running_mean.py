# backend: torch
# mistake: softmax-dropped
# style: mean
import torch

def causal_attention(q, k, v):
    n, m = v.shape[-2], q.shape[-2]
    counts = torch.arange(1, n + 1, dtype=v.dtype, device=v.device)[:, None]
    return (v.cumsum(-2) / counts)[..., n - m:, :]
