# backend: torch
# style: autograd-function
import torch

class Thin(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w.T, torch.tensordot(x, g, dims=(tuple(range(x.ndim - 1)),) * 2)

def low_rank_value(x, value_down, value_up):
    return Thin.apply(Thin.apply(x, value_down), value_up)
