# backend: torch
# style: differences
import math
import torch

def attention_backward(q, k, v, grad_output):
    # dS_ij = P_ij Σ_l P_il (dP_ij - dP_il): only differences of gains count
    root = math.sqrt(q.shape[-1])
    p = torch.softmax(q @ k.mT / root, -1)
    g = grad_output @ v.mT
    diff = g.unsqueeze(-1) - g.unsqueeze(-2)
    ds = p * (diff * p.unsqueeze(-2)).sum(-1) / root
    return ds @ k, ds.mT @ q, p.mT @ grad_output
