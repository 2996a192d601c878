# backend: torch
import torch


def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    h = num_heads
    q, k, v = (torch.einsum("...nc,chd->...hnd", x, w.reshape(w.shape[0], h, w.shape[1] // h)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("...md,...nd->...mn", q, k) / q.shape[-1] ** 0.5
    if mask is None:
        weights = scores.softmax(-1)
    else:
        weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1) * mask
    return torch.einsum("...hnd,hde->...ne", weights @ v, w_o.reshape(h, w_o.shape[0] // h, w_o.shape[1]))
