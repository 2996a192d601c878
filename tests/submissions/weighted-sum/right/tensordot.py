# backend: numpy
# style: tensordot
import numpy as np


def weighted_sum(weights, values):
    return np.tensordot(weights, values, axes=1)
