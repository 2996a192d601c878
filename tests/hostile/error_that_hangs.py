# verdict: timeout
"""Raises an error whose message never ends."""

class Endless(Exception):
    def __str__(self):
        while True:
            pass


def attention(q, k, v):
    raise Endless
