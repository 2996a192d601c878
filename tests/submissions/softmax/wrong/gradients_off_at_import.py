# backend: torch
# mistake: not-differentiable
# Switches gradients off for the whole program when it is imported.
import torch

torch.set_grad_enabled(False)

def softmax(x):
    e = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return e / e.sum(dim=-1, keepdim=True)
