# backend: torch
# mistake: none
# style: nonlinearity
import torch

def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / a.shape[-1]) * (torch.relu(x @ a) @ b)
