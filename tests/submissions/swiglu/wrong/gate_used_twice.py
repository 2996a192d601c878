# backend: torch
# mistake: none
# style: one matrix for both
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    gate = x @ w_gate
    return (silu(gate) * gate) @ w_down
