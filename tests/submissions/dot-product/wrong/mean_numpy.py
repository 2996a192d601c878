# backend: numpy
# mistake: dot-averaged
# breaks: summed
# style: mean
import numpy as np


def dot_product(a, b):
    return np.mean(a * b, axis=1)
