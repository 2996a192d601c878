# verdict: error
"""Calls itself for ever."""

def attention(q, k, v):
    return attention(q, k, v)
