# backend: torch
# style: unusual
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    h, n = num_heads, x.shape[-2]
    allowed = torch.ones(n, n, dtype=torch.bool) if mask is None else mask
    allowed = allowed.broadcast_to(*x.shape[:-2], h, n, n)
    def head(a, b, c, o, ok):
        s = (x @ a) @ (x @ b).mT / a.shape[-1] ** 0.5
        return (torch.where(ok, s, torch.finfo(s.dtype).min).softmax(-1) * ok) @ (x @ c) @ o
    cut = lambda w: torch.stack(w.chunk(h, 1))
    parts = torch.vmap(head, in_dims=(0, 0, 0, 0, -3))(cut(w_q), cut(w_k), cut(w_v), w_o.reshape(h, -1, w_o.shape[1]), allowed)
    return parts.sum(0)
