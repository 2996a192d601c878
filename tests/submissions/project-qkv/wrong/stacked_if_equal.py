# backend: torch
# mistake: none
import torch


def project_qkv(x, w_q, w_k, w_v):
    parts = [x @ w_q, x @ w_k, x @ w_v]
    return torch.stack(parts) if w_q.shape == w_v.shape else tuple(parts)
