# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def softmax(x):
    d=x.unsqueeze(-2)-x.unsqueeze(-1)   # [..., i, j] = x_j - x_i
    return 1/d.exp().sum(-1)
