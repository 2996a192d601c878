# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def attend(q,k,v):
    s=k@q/math.sqrt(q.shape[0]); t=torch.topk(s,min(32,len(s))); return torch.softmax(t.values,0)@v[t.indices]
