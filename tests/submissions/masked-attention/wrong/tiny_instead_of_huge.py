# backend: torch
# mistake: mask-fill-too-small
# breaks: weight-exactly-zero
# style: masked-fill
def masked_attention(q, k, v, mask):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s.masked_fill(~mask, -1e-10)
    return s.softmax(-1) @ v
