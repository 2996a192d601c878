"""Submissions to the drill `softmax` in numpy, which takes no time to start."""

from __future__ import annotations

RIGHT = """# backend: numpy
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
GLOBAL = RIGHT.replace("axis=-1, keepdims=True", "")
FOREVER = RIGHT.replace("    e = ", "    while True: pass\n    e = ")
