# backend: torch
# mistake: softmax-hard
def attend(q, k, v):
    scores = (k * q).sum(-1) / len(q) ** 0.5
    return v[scores.argmax()]
