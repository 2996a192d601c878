# backend: torch
# mistake: input-mutated
# style: in-place
def attend(q, k, v):
    q.data /= q.shape[0] ** 0.5
    return (k @ q).softmax(0) @ v
