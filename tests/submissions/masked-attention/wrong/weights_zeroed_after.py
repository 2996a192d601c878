# backend: torch
# mistake: mask-after-softmax
# breaks: whole-weight-shared
# style: matmul
def masked_attention(q, k, v, mask):
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    w = w * mask
    return w @ v
