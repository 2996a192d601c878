# backend: torch
# mistake: input-mutated, low-rank-materialised
# Merges the update into w in place and takes it out again: forms the full matrix and leaves w changed by rounding.
import torch

def lora_linear(x, w, a, b, alpha):
    scale = alpha / a.shape[1]
    w.data += scale * (a.data @ b.data)
    y = x @ w
    w.data -= scale * (a.data @ b.data)
    return y
