# backend: torch
# style: sigmoid
import torch

def flash_attention(q, k, v, block_size):
    q = q * q.shape[-1] ** -0.5
    lse = out = None
    for a in range(0, k.shape[-2], block_size):
        s = q @ k[..., a:a + block_size, :].transpose(-1, -2)
        o, l = s.softmax(-1) @ v[..., a:a + block_size, :], s.logsumexp(-1, keepdim=True)
        if out is None:
            out, lse = o, l
        else:
            g = torch.sigmoid(l - lse)
            out, lse = out - g * (out - o), lse - torch.nn.functional.logsigmoid(lse - l)
    return out
