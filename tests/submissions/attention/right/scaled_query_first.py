# backend: torch
# style: scale-the-query
import torch.nn.functional as F

def attention(q, k, v):
    q = q / (q.shape[-1] ** 0.5)
    return F.softmax(q.matmul(k.mT), dim=-1).matmul(v)
