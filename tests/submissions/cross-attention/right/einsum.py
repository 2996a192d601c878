# backend: torch
# style: einsum
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    h = num_heads
    cut = lambda w: w.reshape(w.shape[0], h, w.shape[1] // h)
    q = torch.einsum("bmc,chd->bhmd", x, cut(w_q))
    k = torch.einsum("bnc,chd->bhnd", context, cut(w_k))
    v = torch.einsum("bnc,chd->bhnd", context, cut(w_v))
    s = torch.einsum("bhmd,bhnd->bhmn", q, k) / q.shape[-1] ** 0.5
    if context_mask is not None:
        s = s.masked_fill(~context_mask[:, None, None], float("-inf"))
    a = torch.nan_to_num(s.softmax(-1))
    return torch.einsum("bhmn,bhnd,hdc->bmc", a, v, w_o.reshape(h, w_o.shape[0] // h, w_o.shape[1]))
