# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def low_rank_value(x,value_down,value_up):
    return torch.cat([x@(value_down@value_up[:,i:i+4]) for i in range(0,value_up.shape[1],4)],-1)
