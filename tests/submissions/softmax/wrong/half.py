# backend: torch
# mistake: precision-lost
# style: half-internally
import torch

def softmax(x):
    e = torch.exp((x - x.amax(-1, keepdim=True)).half())
    return (e / e.sum(-1, keepdim=True)).to(x.dtype)
