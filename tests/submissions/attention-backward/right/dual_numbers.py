# backend: torch
# style: forward-mode
import math
import torch

def softmax_vjp(p, g):
    """Through the Jacobian diag(p) - p pᵀ, row by row."""
    J = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
    return (J @ g.unsqueeze(-1)).squeeze(-1)

def attention_backward(q, k, v, grad_output):
    root = math.sqrt(q.shape[-1])
    p = torch.softmax(q / root @ k.mT, -1)
    ds = softmax_vjp(p, grad_output @ v.mT)
    return ds @ (k / root), ds.mT @ (q / root), p.mT @ grad_output
