# backend: torch
# mistake: forbidden-call
# style: library-call
import torch.nn.functional as F

def attend(q, k, v):
    return F.scaled_dot_product_attention(q[None], k, v)[0]
