# backend: torch
# style: torch.nn
from torch import nn


def swiglu(x, w_gate, w_up, w_down):
    linear = nn.functional.linear
    return linear(nn.SiLU()(linear(x, w_gate.T)).mul(linear(x, w_up.T)), w_down.T)
