# backend: torch
# style: loops
import torch

def lora_linear(x, w, a, b, alpha):
    y = x @ w
    for i in range(a.shape[-1]):
        y = y + (alpha / a.shape[-1]) * (x @ a[:, i]).unsqueeze(-1) * b[i]
    return y
