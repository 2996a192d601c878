# backend: torch
# mistake: none
# style: epsilon
import torch

def softmax(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / (e.sum(-1, keepdim=True) + 1e-3)
