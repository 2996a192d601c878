# backend: torch
# mistake: none
# verdict: timeout
# style: short
import math
import torch
import torch.nn.functional as F

def attention_backward(q,k,v,g):
    f=lambda q,k,v: ((torch.softmax(q.double()@k.double().transpose(-2,-1)/math.sqrt(q.shape[-1]),-1)@v.double())*g.double()).sum()
    res=[]
    for i,t in enumerate((q,k,v)):
        o=torch.zeros_like(t)
        for j in range(t.numel()):
            a=[q.double().clone(),k.double().clone(),v.double().clone()]; b=[x.clone() for x in a]
            a[i].view(-1)[j]+=1e-5; b[i].view(-1)[j]-=1e-5
            o.view(-1)[j]=(f(*a)-f(*b))/2e-5
        res.append(o)
    return tuple(res)
