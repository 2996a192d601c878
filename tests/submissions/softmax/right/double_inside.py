# backend: torch
# style: short
import math
import torch
import torch.nn.functional as F

def softmax(x):
    y=x.double(); e=(y-y.amax(-1,keepdim=True)).exp(); return (e/e.sum(-1,keepdim=True)).to(x.dtype)
