# backend: numpy
# style: row by row
import numpy as np


def dot_product(a, b):
    return np.array([np.dot(a, row) for row in b])
