# backend: torch
# mistake: not-deterministic
# style: dropout
import torch.nn.functional as F

def attention(q, k, v):
    w = F.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    w = F.dropout(w, p=0.1)
    return w @ v
