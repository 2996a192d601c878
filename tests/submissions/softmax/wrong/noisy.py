# backend: torch
# mistake: not-deterministic
# style: gumbel
import torch

def softmax(x):
    noise = -torch.log(-torch.log(torch.rand_like(x) + 1e-9) + 1e-9)
    e = (x + 0.1 * noise - x.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)
