# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def attend(q,k,v):
    w=torch.softmax(k@q/math.sqrt(q.shape[0]),0); w=torch.where(w<1e-4,0,w); return (w/w.sum())@v
