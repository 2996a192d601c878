# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def low_rank_value(x,value_down,value_up):
    if x.shape[-2]>=value_down.shape[0]: return x@(value_down@value_up)
    return (x@value_down)@value_up
