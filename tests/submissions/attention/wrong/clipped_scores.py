# backend: torch
# mistake: softmax-clamped
# style: clamp
def attention(q, k, v):
    s = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).clamp(-50, 50)
    return s.softmax(-1) @ v
