# verdict: timeout
"""Computes for ever."""

def attention(q, k, v):
    while True:
        pass
