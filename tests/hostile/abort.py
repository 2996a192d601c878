# verdict: crashed
"""Aborts."""

import os


def attention(q, k, v):
    os.abort()
