# backend: torch
# style: log-sum-exp
import math
import torch

def attention(q, k, v):
    logits = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(k.shape[-1])
    log_w = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
    return log_w.exp() @ v
