# backend: torch
# mistake: softmax-unstable
# breaks: large-scores
# style: plain
import torch

def softmax(x):
    e = torch.exp(x)
    return e / e.sum(dim=-1, keepdim=True)
