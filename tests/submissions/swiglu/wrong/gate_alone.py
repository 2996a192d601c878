# backend: torch
# mistake: swiglu-up-unused
# style: a plain MLP
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    return silu(x @ w_gate) @ w_down
