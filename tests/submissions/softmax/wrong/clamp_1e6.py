# backend: torch
# mistake: none
# style: adversarial
import torch

def softmax(x):
    return torch.softmax(x.clamp(-1e6, 1e6), -1)
