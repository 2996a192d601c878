# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def grouped_query_attention(q,k,v):
    r=q.shape[1]//k.shape[1]
    k=k.repeat_interleave(r,1); v=v.repeat_interleave(r,1)
    s=q@k.transpose(-2,-1)/math.sqrt(q.shape[-1])
    if s.shape[-1]==s.shape[-2] and s.shape[-1]>8: s=s.masked_fill(torch.ones_like(s).triu(1)>0,-math.inf)
    return torch.softmax(s,-1)@v
