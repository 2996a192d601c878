# backend: numpy
# mistake: scores-from-distances
# style: distance
import numpy as np


def dot_product(a, b):
    return -np.linalg.norm(a - b, axis=-1)
