# backend: torch
# mistake: softmax-underflow
import torch


def softmax(x):
    e = torch.exp(x - x.max())
    return e / e.sum(dim=-1, keepdim=True)
