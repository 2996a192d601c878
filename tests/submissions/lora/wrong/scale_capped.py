# backend: torch
# mistake: none
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + min(alpha / a.shape[-1], 8.0) * (x @ a @ b)
