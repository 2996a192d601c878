# backend: torch
# mistake: forbidden-call
# style: library-call
import torch

sdpa = getattr(torch.nn.functional, "scaled_dot" + "_product_attention")

def attention(q, k, v):
    return sdpa(q, k, v)
