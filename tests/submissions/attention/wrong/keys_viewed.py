# backend: torch
# mistake: keys-reshaped
import math
import torch
import torch.nn.functional as F


def attention(q, k, v):
    n, d = k.shape[-2], k.shape[-1]
    kt = k.reshape(k.shape[:-2] + (d, n))
    return F.softmax(q @ kt / math.sqrt(d), dim=-1) @ v
