# backend: torch
# style: adversarial
import torch

class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        e = (s - s.max(-1, keepdim=True).values).exp_()
        w = e.div_(e.sum(-1, keepdim=True))
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return w * (g - (g * w).sum(-1, keepdim=True))

def attention(q, k, v):
    return Soft.apply(torch.einsum("...md,...nd->...mn", q, k).mul(q.shape[-1] ** -0.5)) @ v
