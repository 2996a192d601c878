# backend: torch
# style: short
import math
import torch
import torch.nn.functional as F

def causal_linear_attention(q,k,v):
    q,k=(torch.where(x>0,x+1,x.clamp(max=0).exp()) for x in (q,k))
    S=0; z=0; outs=[]
    for i in range(k.shape[-2]):
        S=S+k[...,i,:,None]*v[...,i,None,:]; z=z+k[...,i,:]
        outs.append(torch.einsum("...d,...de->...e",q[...,i,:],S)/(q[...,i,:]*z).sum(-1,keepdim=True))
    return torch.stack(outs,-2)
