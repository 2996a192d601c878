# backend: torch
# mistake: none
# Transposes axes 1 and 2, so two matrices and one batch axis work, batch and heads do not.
import math
import torch

def attention(q, k, v):
    kt = k.T if k.ndim == 2 else k.transpose(1, 2)
    scores = q @ kt / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ v
