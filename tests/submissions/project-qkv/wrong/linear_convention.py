# backend: torch
# mistake: projection-transposed
# breaks: weights-on-the-right
# style: linear
import torch.nn.functional as F

def project_qkv(x, w_q, w_k, w_v):
    return F.linear(x, w_q), F.linear(x, w_k), F.linear(x, w_v)
