# backend: torch
# mistake: values-are-keys
# style: matmul
def attend(q, k, v):
    return (k @ q / q.shape[0] ** 0.5).softmax(0) @ k
