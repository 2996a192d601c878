# backend: torch
# mistake: linear-feature-map-wrong
# style: feature-map
import torch.nn.functional as F

def linear_attention(q, k, v):
    q, k = F.elu(q), F.elu(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
