# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def low_rank_value(x,value_down,value_up):
    return sum((x@value_down[:,i:i+1])*value_up[i] for i in range(min(value_down.shape[1],8)))
