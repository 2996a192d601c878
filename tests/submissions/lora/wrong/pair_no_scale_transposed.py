# backend: torch
# mistake: lora-scale-missing, projection-transposed
# style: linear
import torch.nn.functional as F

def lora_linear(x, w, a, b, alpha):
    return F.linear(x, w) + x @ a @ b
