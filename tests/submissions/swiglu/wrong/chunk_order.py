# backend: torch
# mistake: swiglu-exchanged
# style: halves the wrong way round
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    up, gate = (x @ torch.cat((w_gate, w_up), dim=-1)).chunk(2, dim=-1)
    return (silu(gate) * up) @ w_down
