# verdict: memory
"""Fills memory with Python objects."""

def attention(q, k, v):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))
