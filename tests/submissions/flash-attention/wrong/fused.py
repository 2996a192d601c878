# backend: torch
# mistake: forbidden-call
# style: library-call
import torch.nn.functional as F

def flash_attention(q, k, v, block_size):
    return F.scaled_dot_product_attention(q, k, v)
