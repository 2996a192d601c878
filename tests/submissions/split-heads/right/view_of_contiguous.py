# backend: torch
# style: any layout, any dtype
import torch


def split_heads(x, num_heads):
    *front, n, width = x.shape
    y = x.contiguous().view(*front, n, num_heads, width // num_heads)
    return y.permute(*range(len(front)), -2, -3, -1)


def merge_heads(x):
    y = x.transpose(-2, -3).contiguous()
    return y.view(*y.shape[:-2], y.shape[-2] * y.shape[-1])
