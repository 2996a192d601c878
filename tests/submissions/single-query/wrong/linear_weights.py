# backend: torch
# mistake: softmax-without-exponential
# breaks: softmax-weights
# style: normalised-scores
def attend(q, k, v):
    s = k @ q
    return s / s.sum() @ v
