# backend: torch
# mistake: softmax-without-exponential
# style: normalised-scores
def attend(q, k, v):
    s = k @ q
    return s / s.sum() @ v
