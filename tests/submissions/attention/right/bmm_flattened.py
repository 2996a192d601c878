# backend: torch
# style: bmm
import torch

def attention(q, k, v):
    lead = q.shape[:-2]
    b = 1
    for s in lead:
        b *= s
    m, d = q.shape[-2:]
    n, dv = v.shape[-2:]
    q3, k3, v3 = q.reshape(b, m, d), k.reshape(b, n, d), v.reshape(b, n, dv)
    w = torch.bmm(q3, k3.transpose(1, 2)).div(d ** 0.5).softmax(2)
    return torch.bmm(w, v3).reshape(*lead, m, dv)
