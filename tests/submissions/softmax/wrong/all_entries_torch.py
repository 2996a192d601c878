# backend: torch
# mistake: softmax-global
# style: flatten
import torch

def softmax(x):
    e = torch.exp(x - (x.max() if x.numel() else 0))
    return e / e.sum()
