# backend: torch
# mistake: lora-rank-from-other-axis
# Takes the rank from the rows of a, which is d_in, and divides alpha by that.
import torch

def lora_linear(x, w, a, b, alpha):
    rank = a.size(0)
    return x @ w + alpha / rank * (x @ a @ b)
