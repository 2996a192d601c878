# backend: torch
# mistake: flash-maximum-starts-high
# style: short
import math
import torch
import torch.nn.functional as F

def flash_attention(q,k,v,block_size):
    top=torch.full_like(q[...,:1],-100.0); tot=torch.zeros_like(top); mix=torch.zeros_like(top)
    for s in range(0,k.shape[-2],block_size):
        K=k[...,s:s+block_size,:]; V=v[...,s:s+block_size,:]
        S=q@K.transpose(-2,-1)/math.sqrt(q.shape[-1])
        nt=torch.maximum(top,S.amax(-1,keepdim=True))
        e=torch.exp(S-nt); sh=torch.exp(top-nt)
        tot=tot*sh+e.sum(-1,keepdim=True); mix=mix*sh+e@V; top=nt
    return mix/tot
