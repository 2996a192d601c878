# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def softmax(x):
    e=x.clamp(-80,80).exp(); return e/e.sum(-1,keepdim=True)
