# backend: torch
# mistake: softmax-over-batch
# breaks: last-axis
# style: axis
import torch

def softmax(x):
    e = torch.exp(x - x.amax(0, keepdim=True))
    return e / e.sum(0, keepdim=True)
