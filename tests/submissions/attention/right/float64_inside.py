# backend: torch
# style: float64-internally
import torch

def attention(q, k, v):
    dtype = q.dtype
    q64, k64, v64 = q.double(), k.double(), v.double()
    s = q64 @ k64.transpose(-1, -2)
    s = s / q64.shape[-1] ** 0.5
    return (s.softmax(-1) @ v64).to(dtype)
