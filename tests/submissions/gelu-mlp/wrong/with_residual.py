# backend: torch
# mistake: mlp-input-added
# breaks: nothing-added
# style: the block's sum
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return x + gelu(x @ w_1 + b_1, approximate="tanh") @ w_2 + b_2
