# backend: torch
# mistake: none
# Uses addmm, which takes matrices only: a single vector or a batch raises.
import torch

def lora_linear(x, w, a, b, alpha):
    return torch.addmm(x @ w, x @ a, b, alpha=alpha / a.shape[1])
