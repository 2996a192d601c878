# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def grouped_query_attention(q,k,v):
    r=q.shape[1]//k.shape[1]
    rep=(lambda t:t.repeat_interleave(r,1)) if k.shape[1]<=2 else (lambda t:t.repeat(1,r,1,1))
    k=rep(k); v=rep(v)
    return torch.softmax(q@k.transpose(-2,-1)/math.sqrt(q.shape[-1]),-1)@v
