# backend: torch
# style: loop over rows
from torch.nn.functional import gelu

import torch


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    rows = x.reshape(-1, x.shape[-1])
    out = [
        torch.addmv(b_2, w_2.T, gelu(torch.addmv(b_1, w_1.T, row), approximate="tanh"))
        for row in rows
    ]
    return torch.stack(out).reshape(x.shape)
