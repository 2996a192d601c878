# backend: torch
# mistake: none
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + alpha / min(a.shape[0], a.shape[1], b.shape[1]) * (x @ a @ b)
