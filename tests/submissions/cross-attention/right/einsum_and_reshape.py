# backend: torch
# style: any layout, any dtype
import torch


def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    def heads(y, w):
        return torch.einsum("bni,ihd->bhnd", y, w.reshape(w.shape[0], num_heads, -1))

    q, k, v = heads(x, w_q), heads(context, w_k), heads(context, w_v)
    scores = torch.einsum("bhmd,bhnd->bhmn", q, k) / q.shape[-1] ** 0.5
    if context_mask is not None:
        real = context_mask[:, None, None, :].expand_as(scores)
        scores = torch.where(real, scores, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if context_mask is not None:
        weights = weights * real
    merged = torch.einsum("bhmn,bhnv->bmhv", weights, v).reshape(*x.shape[:2], w_o.shape[0])
    return merged @ w_o
