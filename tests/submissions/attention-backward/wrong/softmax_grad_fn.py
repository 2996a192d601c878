# backend: torch
# mistake: forbidden-call
# style: autograd
import math
import torch

def attention_backward(q, k, v, grad_output):
    with torch.enable_grad():
        s = (q @ k.mT / math.sqrt(q.shape[-1])).detach().requires_grad_()
        p = s.softmax(-1)
    ds = p.grad_fn(grad_output @ v.mT) / math.sqrt(q.shape[-1])
    p = p.detach()
    return ds @ k, ds.mT @ q, p.mT @ grad_output
