# backend: torch
# style: default-dtype
import torch
torch.set_default_dtype(torch.float64)

def linear_attention(q, k, v):
    one = torch.ones(())
    f = lambda x: torch.where(x > 0, x.double() + one, x.double().clamp(max=0.0).exp())
    Q, K, V = f(q), f(k), v.double()
    return torch.div(Q @ (K.mT @ V), Q @ K.sum(-2, keepdim=True).mT).to(q.dtype)
