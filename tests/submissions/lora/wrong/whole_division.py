# backend: torch
# mistake: lora-whole-division
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha // a.shape[-1]) * (x @ a @ b)
