# backend: torch
# mistake: softmax-dropped
# style: mean
def attend(q, k, v):
    return v.mean(0) + 0 * (k @ q).sum()
