# backend: torch
# mistake: scale-missing
# style: matmul
def attend(q, k, v):
    return (k @ q).softmax(0) @ v
