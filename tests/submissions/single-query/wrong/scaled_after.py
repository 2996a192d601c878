# backend: torch
# mistake: scale-after-softmax
# style: matmul
def attend(q, k, v):
    w = (k @ q).softmax(-1) / q.shape[0] ** 0.5
    return w @ v
