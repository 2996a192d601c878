# verdict: crashed
"""Prints without end."""

def attention(q, k, v):
    while True:
        print("attention " * 1000)
