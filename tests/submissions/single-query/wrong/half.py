# backend: torch
# mistake: precision-lost
# style: half-internally
def attend(q, k, v):
    w = (k @ q / q.shape[0] ** 0.5).softmax(0).half()
    return w.to(v.dtype) @ v
