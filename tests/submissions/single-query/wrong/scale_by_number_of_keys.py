# backend: torch
# mistake: scale-by-keys
# style: len
def attend(q, k, v):
    return (k @ q / len(k) ** 0.5).softmax(0) @ v
