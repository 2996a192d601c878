# backend: torch
# style: detach
import torch
import torch.nn.functional as F

def lora_linear(x, w, a, b, alpha):
    frozen = F.linear(x, w.detach().T)
    return frozen + alpha / a.shape[1] * F.linear(F.linear(x, a.T), b.T)
