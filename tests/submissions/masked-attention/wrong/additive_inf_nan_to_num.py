# backend: torch
# mistake: gradient-not-finite
# Adds -inf and cleans the weights with nan_to_num: the result is right, but the gradient of an empty row is nan.
import torch

def masked_attention(q, k, v, mask):
    bias = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(~mask, float("-inf"))
    s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5 + bias
    w = torch.nan_to_num(torch.softmax(s, dim=-1), nan=0.0)
    return w @ v
