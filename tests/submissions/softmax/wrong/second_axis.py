# backend: torch
# mistake: softmax-over-heads
# style: plain
def softmax(x):
    if x.ndim < 3:
        axis = -1
    else:
        axis = -3
    e = (x - x.amax(axis, keepdim=True)).exp()
    return e / e.sum(axis, keepdim=True)
