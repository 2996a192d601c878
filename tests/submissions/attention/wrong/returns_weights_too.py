# backend: torch
# mistake: none
# style: tuple
def attention(q, k, v):
    w = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return w @ v, w
