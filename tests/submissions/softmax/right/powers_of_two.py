# backend: torch
# style: any layout, any dtype
import torch


import math


def softmax(x):
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    e = torch.exp2((wide - wide.amax(-1, keepdim=True)) * math.log2(math.e))
    return (e / e.sum(-1, keepdim=True)).to(x.dtype)
