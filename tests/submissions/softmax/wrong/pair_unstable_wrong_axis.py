# backend: torch
# mistake: softmax-unstable, softmax-over-batch
# style: plain
import torch

def softmax(x):
    return torch.exp(x) / torch.exp(x).sum(0)
