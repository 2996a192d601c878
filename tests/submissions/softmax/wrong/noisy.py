# backend: torch
# mistake: not-deterministic
# style: gumbel
import torch

def softmax(x):
    noise = -torch.log(-torch.log(torch.rand_like(x) + 1e-9) + 1e-9)
    return torch.softmax(x + 0.1 * noise, -1)
