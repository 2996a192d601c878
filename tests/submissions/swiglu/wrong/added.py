# backend: torch
# mistake: swiglu-added
# style: sum
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    return (silu(x @ w_gate) + x @ w_up) @ w_down
