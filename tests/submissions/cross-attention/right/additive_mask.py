# backend: torch
# style: additive-mask
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    heads = lambda y: torch.stack(y.chunk(num_heads, -1), 1)
    q, k, v = heads(x @ w_q), heads(context @ w_k), heads(context @ w_v)
    s = torch.matmul(q, k.mT) * q.shape[-1] ** -0.5
    if context_mask is not None:
        lowest = torch.finfo(s.dtype).min / 2
        s = s + (~context_mask).to(s.dtype)[:, None, None, :] * lowest
    out = torch.matmul(torch.softmax(s, -1), v)
    if context_mask is not None:
        out = out * context_mask.any(1)[:, None, None, None]
    return torch.cat(out.unbind(1), -1) @ w_o
