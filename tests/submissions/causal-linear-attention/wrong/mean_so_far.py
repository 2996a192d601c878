# backend: torch
# mistake: none
# style: mean
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    n = v.shape[-2]
    return v.cumsum(-2) / torch.arange(1, n + 1, dtype=v.dtype, device=v.device)[:, None]
