# backend: torch
# mistake: none
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + max(alpha, 1) / a.shape[-1] * (x @ a @ b)
