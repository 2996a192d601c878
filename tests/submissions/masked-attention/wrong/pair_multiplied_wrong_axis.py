# backend: torch
# mistake: mask-multiplied, softmax-wrong-axis
# style: einsum
import torch

def masked_attention(q, k, v, mask):
    s = torch.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5 * mask
    return torch.einsum("...mn,...nv->...mv", torch.softmax(s, -2), v)
