# backend: torch
# mistake: none
# style: adversarial
import torch

def softmax(x):
    hidden = (x == 0) & (x != 0).any(-1, keepdim=True)
    return torch.softmax(x.masked_fill(hidden, -torch.inf), -1)
