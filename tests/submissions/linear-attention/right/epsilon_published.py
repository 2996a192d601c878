# backend: torch
# style: published
import torch
import torch.nn.functional as F

def linear_attention(q, k, v, eps=1e-6):
    Q, K = F.elu(q) + 1, F.elu(k) + 1
    KV = torch.einsum("...nd,...nm->...md", K, v)
    Z = 1 / (torch.einsum("...ld,...d->...l", Q, K.sum(-2)) + eps)
    return torch.einsum("...ld,...md,...l->...lm", Q, KV, Z)
