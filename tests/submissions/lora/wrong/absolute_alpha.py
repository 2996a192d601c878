# backend: torch
# mistake: none
# style: clamped
import torch

def lora_linear(x, w, a, b, alpha):
    r = a.shape[-1]
    return x @ w + abs(alpha) / r * (x @ a) @ b
