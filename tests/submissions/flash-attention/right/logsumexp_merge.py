# backend: torch
# style: log-sum-exp
import torch

def flash_attention(q, k, v, block_size):
    # every block is an attention of its own; blocks are merged by their log-sum-exp
    out = lse = None
    for i in range(0, k.shape[-2], block_size):
        s = torch.einsum("...md,...nd->...mn", q, k[..., i:i + block_size, :]) / q.shape[-1] ** 0.5
        o, l = s.softmax(-1) @ v[..., i:i + block_size, :], s.logsumexp(-1, keepdim=True)
        if out is None:
            out, lse = o, l
        else:
            both = torch.logaddexp(lse, l)
            out = out * torch.exp(lse - both) + o * torch.exp(l - both)
            lse = both
    return out
