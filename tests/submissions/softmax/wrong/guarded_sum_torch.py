# backend: torch
# mistake: softmax-epsilon
import torch

EPS = 1e-5


def softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / (e.sum(dim=-1, keepdim=True) + EPS)
