# backend: torch
# mistake: mask-top-left, sdpa-padding-unused
# breaks: queries-are-last
# style: is_causal
import torch
import torch.nn.functional as F


def library_attention(q, k, v, real, scale=None):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
