# backend: torch
# mistake: none
# style: normalised-scores
def attend(q, k, v):
    s = k @ q
    return s / s.sum() @ v
