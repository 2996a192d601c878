# backend: torch
# style: one product for both, then chunk
from torch.nn.functional import silu

import torch


def swiglu(x, w_gate, w_up, w_down):
    gate, up = (x @ torch.cat((w_gate, w_up), dim=-1)).chunk(2, dim=-1)
    return torch.einsum("...f,fd->...d", silu(gate) * up, w_down)
