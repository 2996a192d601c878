# backend: torch
# mistake: gelu-exact
# breaks: tanh-form
# style: approximate left out
from torch.nn import functional

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return functional.gelu(x @ w_1 + b_1) @ w_2 + b_2
