# backend: torch
# style: autograd-function
import math
import torch

class Flash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, size):
        c = q.shape[-1] ** -0.5
        top = torch.full_like(q[..., :1], -math.inf)
        total, out = torch.zeros_like(top), torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
        for kb, vb in zip(k.split(size, -2), v.split(size, -2)):
            s = q @ kb.mT * c
            new = torch.maximum(top, s.amax(-1, keepdim=True))
            p, f = (s - new).exp(), (top - new).exp()
            total, out, top = total * f + p.sum(-1, keepdim=True), out * f + p @ vb, new
        out = out / total
        ctx.save_for_backward(q, k, v, out, top + total.log())
        ctx.size, ctx.c = size, c
        return out

    @staticmethod
    def backward(ctx, g):
        q, k, v, out, lse = ctx.saved_tensors
        delta = (out * g).sum(-1, keepdim=True)
        dq, dk, dv = torch.zeros_like(q), [], []
        for kb, vb in zip(k.split(ctx.size, -2), v.split(ctx.size, -2)):
            p = (q @ kb.mT * ctx.c - lse).exp()
            ds = p * (g @ vb.mT - delta) * ctx.c
            dq = dq + ds @ kb
            dk.append(ds.mT @ q)
            dv.append(p.mT @ g)
        return dq, torch.cat(dk, -2), torch.cat(dv, -2), None

def flash_attention(q, k, v, block_size):
    return Flash.apply(q, k, v, block_size)
