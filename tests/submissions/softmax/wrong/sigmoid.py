# backend: torch
# mistake: none
# style: sigmoid
import torch

def softmax(x):
    s = torch.sigmoid(x)
    return s / s.sum(-1, keepdim=True)
