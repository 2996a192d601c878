# backend: torch
# style: einsum
import torch

def lora_linear(x, w, a, b, alpha):
    down = torch.einsum("...i,ir->...r", x, a)
    up = torch.einsum("...r,ro->...o", down, b)
    return torch.einsum("...i,io->...o", x, w) + up * (alpha / a.size(1))
