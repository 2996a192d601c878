# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def causal_attention(q,k,v):
    S=q@k.transpose(-2,-1)/math.sqrt(q.shape[-1])
    S=S.masked_fill(torch.ones(S.shape[-2:],dtype=torch.bool).triu(1+S.shape[-1]-S.shape[-2]),-math.inf)
    e=torch.exp(S-S.amax(-1,keepdim=True).clamp(min=0))
    return e/e.sum(-1,keepdim=True)@v
