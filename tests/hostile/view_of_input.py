# verdict: wrong
"""Returns a part of what it was given."""

def attention(q, k, v):
    return v[..., : q.shape[-2], :]
