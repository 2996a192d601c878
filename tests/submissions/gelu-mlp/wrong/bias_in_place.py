# backend: torch
# mistake: input-mutated
# style: in place
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    with torch.no_grad():
        b_1 += 0.5
    return gelu(x @ w_1 + b_1 - 0.5, approximate="tanh") @ w_2 + b_2
