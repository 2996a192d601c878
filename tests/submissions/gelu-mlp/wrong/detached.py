# backend: torch
# mistake: not-differentiable
# style: detach
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    return (
        gelu(x.detach() @ w_1.detach() + b_1.detach(), approximate="tanh") @ w_2.detach()
        + b_2.detach()
    )
