# backend: torch
# mistake: softmax-clamped
# style: clamp
import torch

def softmax(x):
    e = torch.exp(x.clamp(-80, 80))
    return e / e.sum(-1, keepdim=True)
