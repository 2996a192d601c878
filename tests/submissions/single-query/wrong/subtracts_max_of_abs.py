# backend: torch
# mistake: softmax-underflow
# style: adversarial
import math
import torch

def e_softmax(s):
    top = s.masked_fill(s == float('-inf'), 0.0).abs().amax(-1, keepdim=True)
    e = (s - top).exp()
    z = e.sum(-1, keepdim=True)
    return e / torch.where(z > 0, z, 1.0)

def core(q, k, v):
    d = q.shape[-1]
    s = q @ k.transpose(-1, -2)
    s = s / math.sqrt(d)
    w = e_softmax(s)
    out = w @ v
    return out


def attend(q, k, v):
    return core(q[None], k, v)[0]
