# backend: torch
# mistake: precision-lost
# style: in bfloat16
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    gate = silu((x @ w_gate).bfloat16()).to(x.dtype)
    return (gate * (x @ w_up)) @ w_down
