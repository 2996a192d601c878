# backend: torch
# style: any layout, any dtype
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    def split(w):
        return w.reshape(w.shape[0], num_heads, w.shape[1] // num_heads)

    q, k, v = (torch.einsum("...ni,ihd->...hnd", x, split(w)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
        nothing = ~mask.any(-1, keepdim=True)
        scores = scores.masked_fill(nothing, 0.0)
    weights = scores.softmax(-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    out = torch.einsum("...hmn,...hnv->...mhv", weights, v)
    return out.reshape(*x.shape[:-1], w_o.shape[0]) @ w_o
