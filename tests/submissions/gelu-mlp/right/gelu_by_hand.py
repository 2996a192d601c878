# backend: torch
# style: GELU by hand
import math

import torch


def gelu(z):
    return 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return gelu(x @ w_1 + b_1) @ w_2 + b_2
