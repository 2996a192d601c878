# backend: torch
# mistake: precision-lost
# style: in bfloat16
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    z = (x @ w_1 + b_1).bfloat16()
    return gelu(z, approximate="tanh").to(x.dtype) @ w_2 + b_2
