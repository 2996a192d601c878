# backend: torch
# mistake: scale-missing, values-are-keys
# style: matmul
def attend(q, k, v):
    return (k @ q).softmax(0) @ k
