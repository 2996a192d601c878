# verdict: wrong
"""Returns a number of a million digits."""

def attention(q, k, v):
    return 10**1_000_000
