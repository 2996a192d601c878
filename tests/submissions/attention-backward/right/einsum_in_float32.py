# backend: torch
# style: any layout, any dtype
import torch


def attention_backward(q, k, v, grad_output):
    kind = q.dtype
    wide = torch.promote_types(kind, torch.float32)
    q, k, v, g = (y.to(wide) for y in (q, k, v, grad_output))
    scale = q.shape[-1] ** -0.5
    p = torch.softmax(torch.einsum("...md,...nd->...mn", q, k) * scale, -1)
    dv = torch.einsum("...mn,...mv->...nv", p, g)
    dp = torch.einsum("...mv,...nv->...mn", g, v)
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * scale
    return tuple(y.to(kind) for y in (ds @ k, ds.mT @ q, dv))
