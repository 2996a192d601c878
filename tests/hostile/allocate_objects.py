# verdict: memory
"""Fills memory with objects that only Python sees, and catches the error once."""


def attention(q, k, v):
    hoard = {}
    try:
        while True:
            hoard[len(hoard)] = "x" * 100_000
    except MemoryError:
        pass
    while True:
        hoard[len(hoard)] = "x" * 100_000
