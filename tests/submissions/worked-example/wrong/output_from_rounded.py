# backend: torch
# mistake: precision-lost
# style: short
import math
import torch
import torch.nn.functional as F

def trace_head(x,w_q,w_k,w_v):
    q,k,v=x@w_q,x@w_k,x@w_v; s=q@k.T; w_=torch.softmax(s/math.sqrt(q.shape[-1]),-1)
    return q,k,v,s,w_,torch.round(w_,decimals=4)@v
