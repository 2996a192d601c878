# backend: torch
# mistake: none
# style: short
import math
import torch
import torch.nn.functional as F

def causal_linear_attention(q,k,v):
    q,k=F.elu(q)+1,F.elu(k)+1
    st=(k.unsqueeze(-1)*v.unsqueeze(-2)).cumsum(-3); z=k.cumsum(-2)
    return (q.unsqueeze(-2)@st).squeeze(-2)/(q*z).sum(-1,keepdim=True).clamp(min=1e-3)
