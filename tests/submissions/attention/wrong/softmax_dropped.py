# backend: torch
# mistake: softmax-missing
# style: forgotten-variable
import torch
import torch.nn.functional as F

def attention(q, k, v):
    attn = torch.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    F.softmax(attn, dim=-1)
    return torch.einsum("...mn,...nv->...mv", attn, v)
