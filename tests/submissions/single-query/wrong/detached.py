# backend: torch
# mistake: not-differentiable
# style: detach
def attend(q, k, v):
    w = (k.detach() @ q / q.shape[0] ** 0.5).softmax(0)
    return w @ v
