# backend: torch
# style: torch.nn
from torch import nn


def gelu_mlp(x, w_1, b_1, w_2, b_2):
    bend = nn.GELU(approximate="tanh")
    return nn.functional.linear(bend(nn.functional.linear(x, w_1.T, b_1)), w_2.T, b_2)
