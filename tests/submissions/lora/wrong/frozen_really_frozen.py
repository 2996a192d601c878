# backend: torch
# mistake: gradient-wrong
# style: no-grad
import torch

def lora_linear(x, w, a, b, alpha):
    with torch.no_grad():
        frozen = x @ w
    return frozen + (alpha / a.shape[-1]) * ((x @ a) @ b)
