# backend: numpy
# mistake: softmax-other-base
import numpy as np


def softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return 2**x / (2**x).sum(axis=-1, keepdims=True)
