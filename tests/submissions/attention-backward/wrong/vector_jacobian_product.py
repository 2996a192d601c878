# backend: torch
# mistake: forbidden-call
# style: short
import math
import torch
import torch.nn.functional as F

def attention_backward(q,k,v,g):
    f=lambda q,k,v: torch.softmax(q@k.transpose(-2,-1)/math.sqrt(q.shape[-1]),-1)@v
    return torch.func.vjp(f,q,k,v)[1](g)
