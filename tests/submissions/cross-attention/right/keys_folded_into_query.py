# backend: torch
# style: unusual
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    out = 0
    for a, b, c, o in zip(*(w.chunk(num_heads, 1) for w in (w_q, w_k, w_v)), w_o.chunk(num_heads, 0)):
        s = (x @ a @ b.T) @ context.mT / a.shape[1] ** 0.5
        if context_mask is not None:
            s = s.masked_fill(~context_mask[:, None], -torch.inf)
        out = out + s.softmax(-1).nan_to_num() @ context @ (c @ o)
    return out
