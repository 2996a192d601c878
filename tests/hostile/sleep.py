# verdict: timeout
"""Waits longer than it may."""

import time


def attention(q, k, v):
    time.sleep(3600)
