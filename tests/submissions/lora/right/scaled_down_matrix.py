# backend: torch
# style: adversarial
import torch

def lora_linear(x, w, a, b, alpha):
    return torch.matmul(x, w).add(torch.matmul(torch.matmul(x, a * (alpha / b.shape[0])), b))
