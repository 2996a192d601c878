# backend: torch
# mistake: input-mutated
# style: in-place
import torch.nn.functional as F

def linear_attention(q, k, v):
    q, k = F.elu_(q.data) + 1, F.elu_(k.data) + 1
    return q @ (k.mT @ v) / (q @ k.sum(-2).unsqueeze(-1))
