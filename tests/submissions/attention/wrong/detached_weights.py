# backend: torch
# mistake: not-differentiable
# style: detach
def attention(q, k, v):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = scores.softmax(-1).detach()
    return weights @ v
