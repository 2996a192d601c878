# backend: torch
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w.detach() + alpha / a.shape[-1] * (x @ a @ b)
