# backend: torch
# mistake: mask-fill-too-small
# breaks: weight-exactly-zero
# style: masked-fill
def masked_attention(q, k, v, mask):
    # enough for small scores, not for large ones
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(~mask, -20.0)
    return (s.softmax(-1) * mask.any(-1, keepdim=True)) @ v
