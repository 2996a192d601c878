# verdict: timeout
"""Computes for ever, whatever is thrown at it."""

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def attention(q, k, v):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
