# verdict: refused
"""Calls the operator below the function."""

import torch


def attention(q, k, v):
    return torch.ops.aten.scaled_dot_product_attention.default(q, k, v)
