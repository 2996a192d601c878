# backend: torch
# mistake: forbidden-call
# style: library-call
from torch.nn.functional import scaled_dot_product_attention as sdpa

def masked_attention(q, k, v, mask):
    return sdpa(q, k, v, attn_mask=mask)
