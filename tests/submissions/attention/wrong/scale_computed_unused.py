# backend: torch
# mistake: scale-missing
# style: forgotten-variable
import math
import torch.nn.functional as F

def attention(q, k, v):
    scale = 1 / math.sqrt(q.size(-1))
    scores = q @ k.mT
    scaled = scores * scale
    weights = F.softmax(scores, dim=-1)
    return weights @ v
