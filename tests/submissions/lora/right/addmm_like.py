# backend: torch
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return torch.add(x @ w, (x @ a) @ b, alpha=alpha / a.shape[-1])
