# verdict: crashed
"""Writes bytes without meaning to every descriptor."""

import os


def attention(q, k, v):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, bytes(range(256)) * 64)
        except OSError:
            pass
    os._exit(0)
