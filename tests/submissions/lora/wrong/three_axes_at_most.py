# backend: torch
# mistake: none
# style: size
import torch

def lora_linear(x, w, a, b, alpha):
    if x.ndim == 1:
        return x @ w + alpha / a.shape[1] * (x @ a @ b)
    if x.ndim == 2:
        return torch.mm(x, w) + alpha / a.shape[1] * torch.mm(torch.mm(x, a), b)
    n = x.shape[0]
    return torch.bmm(x, w.expand(n, *w.shape)) + alpha / a.shape[1] * torch.bmm(torch.bmm(x, a.expand(n, *a.shape)), b.expand(n, *b.shape))
