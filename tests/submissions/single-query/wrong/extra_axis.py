# backend: torch
# mistake: none
# style: shape
def attend(q, k, v):
    return (q[None] @ k.T / q.shape[0] ** 0.5).softmax(-1) @ v
