# backend: torch
# style: addmm
import torch

def lora_linear(x, w, a, b, alpha):
    flat = x.reshape(-1, x.shape[-1])
    y = torch.addmm(flat @ w, flat @ a, b, beta=1, alpha=alpha / a.shape[-1])
    return y.view(*x.shape[:-1], w.shape[-1])
