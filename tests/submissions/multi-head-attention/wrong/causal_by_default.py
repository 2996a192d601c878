# backend: torch
# mistake: none
# Uses a causal mask when no mask is given.
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    n = x.shape[-2]
    mask = torch.ones(n, n, dtype=torch.bool).tril() if mask is None else mask
    out = 0
    for wq, wk, wv, wo, i in zip(w_q.chunk(num_heads, 1), w_k.chunk(num_heads, 1), w_v.chunk(num_heads, 1), w_o.chunk(num_heads, 0), range(num_heads)):
        own = mask
        if mask.ndim >= 3:
            own = mask[..., i if mask.shape[-3] > 1 else 0, :, :]
        s = (x @ wq) @ (x @ wk).mT / wq.shape[1] ** 0.5
        w = s.masked_fill(~own, -torch.inf).softmax(-1).masked_fill(~own, 0)
        out = out + w @ (x @ wv) @ wo
    return out
