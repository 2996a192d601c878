# backend: torch
# mistake: forbidden-call
# style: library-call
import torch.nn.functional as F

def grouped_query_attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)
