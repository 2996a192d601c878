# backend: torch
# mistake: keys-reshaped
# style: reshape
def attention(q, k, v):
    kt = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    return ((q @ kt) / q.shape[-1] ** 0.5).softmax(-1) @ v
