# backend: torch
# mistake: projection-transposed
# style: linear
import torch.nn.functional as F

def lora_linear(x, w, a, b, alpha):
    return F.linear(x, w) + (alpha / a.shape[1]) * ((x @ a) @ b)
