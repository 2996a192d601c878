# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def attention(q,k,v):
    S=q@k.transpose(-2,-1)/math.sqrt(q.shape[-1]); e=torch.exp(S-S.amax(-1,keepdim=True).clamp(min=0))
    return e/e.sum(-1,keepdim=True)@v
