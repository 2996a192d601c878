# backend: torch
# mistake: lora-scale-missing
# style: einsum
import torch

def lora_linear(x, w, a, b, alpha):
    return torch.einsum("...i,io->...o", x, w) + torch.einsum("...r,ro->...o", torch.einsum("...i,ir->...r", x, a), b)
