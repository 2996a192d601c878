# backend: torch
# mistake: softmax-underflow
# style: adversarial
import torch

def softmax(x):
    e = torch.exp(x - x.abs().amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
