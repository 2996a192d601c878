# backend: torch
# mistake: swiglu-sigmoid
# breaks: silu
# style: functional.glu
from torch.nn.functional import glu

import torch


def swiglu(x, w_gate, w_up, w_down):
    return glu(x @ torch.cat((w_up, w_gate), dim=-1), dim=-1) @ w_down
