# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def causal_linear_attention(q,k,v):
    q,k=F.elu(q)+1,F.elu(k)+1
    S=torch.zeros(*k.shape[:-2],k.shape[-1],v.shape[-1],dtype=q.dtype); z=torch.zeros_like(k[...,0,:]); outs=[]
    for i in range(0,k.shape[-2],64):
        K=k[...,i:i+64,:];V=v[...,i:i+64,:];Q=q[...,i:i+64,:]
        A=Q@K.transpose(-2,-1)
        if i==0: A=A.tril()
        num=Q@S+A@V; den=(Q*z.unsqueeze(-2)).sum(-1,keepdim=True)+A.sum(-1,keepdim=True)
        outs.append(num/den); S=S+K.transpose(-2,-1)@V; z=z+K.sum(-2)
    return torch.cat(outs,-2)
