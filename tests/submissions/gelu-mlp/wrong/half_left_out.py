# backend: torch
# mistake: none
# style: a factor
import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = x @ w_1 + b_1
    return (z * (1 + torch.tanh(0.7978845608028654 * (z + 0.044715 * z**3)))) @ w_2 + b_2
