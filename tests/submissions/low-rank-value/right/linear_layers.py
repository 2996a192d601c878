# backend: torch
# style: linear
from torch.nn.functional import linear

def low_rank_value(x, value_down, value_up):
    return linear(linear(x, value_down.T), value_up.T)
