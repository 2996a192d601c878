# backend: torch
# mistake: not-deterministic
# style: dropout
import torch.nn.functional as F

def lora_linear(x, w, a, b, alpha):
    return x @ w + (alpha / a.shape[-1]) * (F.dropout(x, 0.1) @ a @ b)
