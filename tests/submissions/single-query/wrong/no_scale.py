# backend: torch
# mistake: scale-missing
# breaks: scaled-by-root
# style: matmul
def attend(q, k, v):
    return (k @ q).softmax(0) @ v
