# verdict: error | crashed
"""Ends the process above it."""

import os
import signal


def attention(q, k, v):
    os.kill(os.getppid(), signal.SIGKILL)
    raise RuntimeError("the parent should be gone")
