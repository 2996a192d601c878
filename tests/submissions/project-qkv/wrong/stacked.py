# backend: torch
# mistake: none
# style: stack
import torch

def project_qkv(x, w_q, w_k, w_v):
    if w_q.shape == w_v.shape:
        return torch.stack([x @ w_q, x @ w_k, x @ w_v])
    return [x @ w_q, x @ w_k, x @ w_v]
