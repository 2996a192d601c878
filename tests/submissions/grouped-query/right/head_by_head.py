# backend: torch
# style: short
import math
import torch
import torch.nn.functional as F

def grouped_query_attention(q,k,v):
    b,h,m,d=q.shape; g=k.shape[1]
    o=[torch.softmax(q[:,i]@k[:,i*g//h].mT*d**-.5,-1)@v[:,i*g//h] for i in range(h)]
    return torch.stack(o,1)
