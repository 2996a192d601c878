# backend: torch
# mistake: softmax-global
# style: plain
import torch

def softmax(x):
    e = torch.exp(x)
    return e / e.sum()
