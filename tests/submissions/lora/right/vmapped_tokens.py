# backend: torch
# style: vmap
import torch

def lora_linear(x, w, a, b, alpha):
    def token(t):
        return t @ w + ((t @ a) * alpha / a.shape[1]) @ b
    f = token
    for _ in range(x.ndim - 1):
        f = torch.vmap(f)
    return f(x)
