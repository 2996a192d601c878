# backend: torch
# style: einsum
import torch

def multi_head_attention(x, w_q, w_k, w_v, w_o, num_heads, mask=None):
    h = num_heads
    wq = w_q.reshape(w_q.shape[0], h, w_q.shape[1] // h)
    wk = w_k.reshape(w_k.shape[0], h, w_k.shape[1] // h)
    wv = w_v.reshape(w_v.shape[0], h, w_v.shape[1] // h)
    wo = w_o.reshape(h, w_o.shape[0] // h, w_o.shape[1])
    q = torch.einsum("...nm,mhd->...hnd", x, wq)
    k = torch.einsum("...nm,mhd->...hnd", x, wk)
    v = torch.einsum("...nm,mhd->...hnd", x, wv)
    s = torch.einsum("...hid,...hjd->...hij", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    a = s.softmax(-1).nan_to_num()
    return torch.einsum("...hij,...hjd,hdm->...im", a, v, wo)
