# verdict: refused
"""Switches off what watches functions, then calls one."""

import torch


def attention(q, k, v):
    with torch._C.DisableTorchFunction():
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)
