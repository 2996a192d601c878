# verdict: crashed
"""Reads from address zero."""

import ctypes


def attention(q, k, v):
    return ctypes.string_at(0)
