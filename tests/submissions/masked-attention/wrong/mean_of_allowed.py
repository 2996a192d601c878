# backend: torch
# mistake: none
# style: mean
def masked_attention(q, k, v, mask):
    w = mask.expand(*q.shape[:-1], k.shape[-2]).to(q.dtype)
    return w / w.sum(-1, keepdim=True).clamp(min=1) @ v
