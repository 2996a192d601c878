# backend: torch
# mistake: activation-misplaced
# breaks: between-the-layers
# style: after the second layer
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return gelu((x @ w_1 + b_1) @ w_2 + b_2, approximate="tanh")
