# backend: torch
# mistake: softmax-missing
# style: matmul
def attend(q, k, v):
    return (k @ q / q.shape[0] ** 0.5) @ v
