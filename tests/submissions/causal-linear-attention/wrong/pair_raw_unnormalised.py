# backend: torch
# mistake: linear-feature-map-missing, linear-normaliser-missing
# style: cumsum
import torch
import torch.nn.functional as F

def causal_linear_attention(q, k, v):
    states = (k[..., :, None] * v[..., None, :]).cumsum(-3)
    top = (q[..., None, :] @ states)[..., 0, :]
    return top
