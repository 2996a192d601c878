# verdict: refused
"""Uses the module that contains it all."""

import torch


def attention(q, k, v):
    module = torch.nn.MultiheadAttention(q.shape[-1], 1, kdim=k.shape[-1], vdim=v.shape[-1])
    return module(q, k, v)[0]
