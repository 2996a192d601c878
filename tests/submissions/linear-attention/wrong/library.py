# backend: torch
# mistake: forbidden-call
# style: library-call
import torch.nn.functional as F

def linear_attention(q, k, v):
    return F.scaled_dot_product_attention(F.elu(q) + 1, F.elu(k) + 1, v)
