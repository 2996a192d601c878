# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def softmax(x):
    e=torch.exp(x-x.amax(-1,keepdim=True).clamp(min=0)); return e/e.sum(-1,keepdim=True)
