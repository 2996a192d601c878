# backend: torch
# mistake: mask-added-raw
# style: additive-mask
def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s + mask.to(s.dtype)
    return s.softmax(-1) @ v
