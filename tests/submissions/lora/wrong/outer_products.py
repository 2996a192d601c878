# backend: torch
# mistake: low-rank-materialised
# style: loops
import torch

def lora_linear(x, w, a, b, alpha):
    delta = torch.zeros_like(w)
    for i in range(a.shape[1]):
        delta = delta + torch.outer(a[:, i], b[i])
    return x @ w + x @ delta * (alpha / a.shape[1])
