# backend: torch
# mistake: input-mutated
# style: in-place
import torch

@torch.no_grad()
def merge(w, a, b, scale):
    w.add_(a @ b, alpha=scale)

def lora_linear(x, w, a, b, alpha):
    merge(w, a, b, alpha / a.shape[1])
    return x @ w
