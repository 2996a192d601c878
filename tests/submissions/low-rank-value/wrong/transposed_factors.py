# backend: torch
# mistake: projection-transposed
# style: linear
import torch.nn.functional as F

def low_rank_value(x, value_down, value_up):
    return F.linear(F.linear(x, value_up), value_down)
