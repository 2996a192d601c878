# verdict: error
"""Looks for a process that it may signal. (It sends none: a wall that fails must not hurt.)"""

import os


def attention(q, k, v):
    reached = []
    for process in range(2, 100_000):
        try:
            os.kill(process, 0)
            reached.append(process)
        except ProcessLookupError:
            pass
    if reached:
        return v
    raise RuntimeError("there is nobody to signal")
