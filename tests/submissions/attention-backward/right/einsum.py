# backend: torch
# style: einsum
import torch

def attention_backward(q, k, v, grad_output):
    c = q.shape[-1] ** -0.5
    p = torch.softmax(c * torch.einsum("...md,...nd->...mn", q, k), -1)
    out = torch.einsum("...mn,...nv->...mv", p, v)
    # sum of p * dp over a row is the same as grad · output
    delta = torch.einsum("...mv,...mv->...m", grad_output, out).unsqueeze(-1)
    ds = p * (torch.einsum("...mv,...nv->...mn", grad_output, v) - delta)
    return (c * torch.einsum("...mn,...nd->...md", ds, k),
            c * torch.einsum("...mn,...md->...nd", ds, q),
            torch.einsum("...mn,...mv->...nv", p, grad_output))
