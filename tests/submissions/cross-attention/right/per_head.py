# backend: torch
# style: per-head
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    outs = []
    for a, b, c in zip(w_q.chunk(num_heads, 1), w_k.chunk(num_heads, 1), w_v.chunk(num_heads, 1)):
        s = (x @ a) @ (context @ b).transpose(1, 2) / a.shape[1] ** 0.5
        if context_mask is None:
            w = s.softmax(-1)
        else:
            keep = context_mask.unsqueeze(1)
            w = torch.where(keep, torch.where(keep, s, torch.finfo(s.dtype).min).softmax(-1), 0)
        outs.append(w @ (context @ c))
    return torch.cat(outs, -1) @ w_o
