# backend: torch
# style: blocks
import math
import torch

def attention_backward(q, k, v, grad_output, block=4):
    # as a kernel does it: lse and delta first, then block after block of keys
    c = 1 / math.sqrt(q.shape[-1])
    lse = torch.logsumexp(q @ k.mT * c, -1, keepdim=True)
    o = torch.exp(q @ k.mT * c - lse) @ v
    delta = (o * grad_output).sum(-1, keepdim=True)
    dq, dks, dvs = torch.zeros_like(q), [], []
    for kb, vb in zip(k.split(block, -2), v.split(block, -2)):
        p = torch.exp(q @ kb.mT * c - lse)
        ds = p * (grad_output @ vb.mT - delta) * c
        dq = dq + ds @ kb
        dks.append(ds.mT @ q)
        dvs.append(p.mT @ grad_output)
    return dq, torch.cat(dks, -2), torch.cat(dvs, -2)
