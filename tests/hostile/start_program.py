# verdict: error
"""Starts another program."""

import subprocess


def attention(q, k, v):
    subprocess.run(["sleep", "3600"], check=True)
