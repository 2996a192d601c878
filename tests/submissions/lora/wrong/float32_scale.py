# backend: torch
# mistake: none
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + torch.tensor(alpha / a.shape[-1], dtype=torch.float32).item() * (x @ a @ b)
