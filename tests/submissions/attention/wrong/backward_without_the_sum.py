# backend: torch
# mistake: none
# style: adversarial
import torch

class Soft(torch.autograd.Function):
    @staticmethod
    def forward(ctx, s):
        w = s.softmax(-1)
        ctx.save_for_backward(w)
        return w

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return w * (1 - w) * g

def attention(q, k, v):
    return Soft.apply(q @ k.mT / q.shape[-1] ** 0.5) @ v
