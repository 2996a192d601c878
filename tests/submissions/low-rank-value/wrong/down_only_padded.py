# backend: torch
# mistake: none
# style: pad
import torch.nn.functional as F

def low_rank_value(x, value_down, value_up):
    small = x @ value_down
    return F.pad(small, (0, value_up.shape[1] - small.shape[-1]))
