# backend: torch
# style: loops
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    out = x.new_zeros(x.shape[0], x.shape[1], w_o.shape[1])
    out = out + 0 * sum(t.sum() for t in (x, context, w_q, w_k, w_v, w_o))
    for b in range(x.shape[0]):
        c = context[b] if context_mask is None else context[b][context_mask[b]]
        if c.shape[0] == 0:
            continue
        q, k, v = (torch.stack(y.chunk(num_heads, -1)) for y in (x[b] @ w_q, c @ w_k, c @ w_v))
        w = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        out[b] = torch.cat((w @ v).unbind(0), -1) @ w_o
    return out
