# backend: torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint_sequential


def low_rank_value(x, value_down, value_up):
    steps = [lambda t: F.linear(t, value_down.mT), lambda t: F.linear(t, value_up.mT)]
    return checkpoint_sequential(steps, 2, x, use_reentrant=False)
