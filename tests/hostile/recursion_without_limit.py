# verdict: memory | crashed | timeout
"""Calls itself for ever, with the limit out of the way."""

import sys


def attention(q, k, v):
    sys.setrecursionlimit(1 << 30)
    return attention(q, k, v)
