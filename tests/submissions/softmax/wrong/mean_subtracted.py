# backend: torch
# mistake: softmax-unstable
# style: wrong-shift
import torch

def softmax(x):
    e = torch.exp(x - x.mean(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
