# backend: torch
# mistake: forbidden-call
# breaks: autograd
# style: autograd
import torch


def forward(q, k, v):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v

def attention_backward(q, k, v, grad_output):
    root = q.shape[-1] ** 0.5
    s = (q @ k.mT / root).detach().requires_grad_()
    shifted = (s - s.amax(-1, keepdim=True).detach()).exp()
    total = shifted.sum(-1, keepdim=True)
    p = (shifted / total)
    dp, dtotal = p.grad_fn(grad_output @ v.mT)
    ds = (dp + dtotal) * shifted / root
    p = p.detach()
    return (ds @ k).detach(), (ds.mT @ q).detach(), p.mT @ grad_output
