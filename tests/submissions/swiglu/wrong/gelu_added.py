# backend: torch
# mistake: swiglu-added, swiglu-other-activation
# style: two mistakes
from torch.nn.functional import gelu

import torch


def swiglu(x, w_gate, w_up, w_down):
    return (gelu(x @ w_gate, approximate="tanh") + x @ w_up) @ w_down
