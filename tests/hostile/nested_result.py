# verdict: wrong
"""Returns tuples within tuples without end."""

def attention(q, k, v):
    result = ()
    for _ in range(100_000):
        result = (result, result)
    return result
