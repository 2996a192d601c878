# backend: torch
# mistake: swiglu-exchanged
# breaks: gate-activated
# style: silu on up
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    return (x @ w_gate * silu(x @ w_up)) @ w_down
