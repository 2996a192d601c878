# backend: torch
# style: short
import math
import torch
import torch.nn.functional as F

def attention_backward(q,k,v,g):
    s=1/math.sqrt(q.shape[-1]); P=torch.softmax(q@k.transpose(-2,-1)*s,-1)
    dv=P.transpose(-2,-1)@g; dP=g@v.transpose(-2,-1)
    dS=P*(dP-(g*(P@v)).sum(-1,keepdim=True))
    return dS@k*s, dS.transpose(-2,-1)@q*s, dv
