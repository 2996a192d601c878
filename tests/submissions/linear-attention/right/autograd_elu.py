# backend: torch
# style: autograd-function
import torch

class Feature(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        low = torch.exp(x.clamp(max=0))
        ctx.save_for_backward(low)
        return low + x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (low,) = ctx.saved_tensors
        return g * low

def linear_attention(q, k, v):
    q, k = Feature.apply(q), Feature.apply(k)
    return q @ (k.mT @ v) / (q @ k.sum(-2, keepdim=True).mT)
