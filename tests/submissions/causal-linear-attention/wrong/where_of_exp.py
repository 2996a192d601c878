# backend: torch
# mistake: gradient-not-finite
# Right values; backwards, the exponential that `where` does not take is 0 times infinity.
import math
import torch
import torch.nn.functional as F

def causal_linear_attention(q,k,v):
    q,k=torch.where(q>0,q+1,q.exp()),torch.where(k>0,k+1,k.exp())
    S=0; z=0; outs=[]
    for i in range(k.shape[-2]):
        S=S+k[...,i,:,None]*v[...,i,None,:]; z=z+k[...,i,:]
        outs.append(torch.einsum("...d,...de->...e",q[...,i,:],S)/(q[...,i,:]*z).sum(-1,keepdim=True))
    return torch.stack(outs,-2)
