# verdict: error
"""Reads what is not its own."""

def attention(q, k, v):
    with open("/etc/passwd") as file:
        print(file.read())
