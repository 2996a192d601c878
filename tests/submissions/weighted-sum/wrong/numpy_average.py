# backend: numpy
# mistake: weights-normalised
# breaks: weights-as-given
# style: library
import numpy as np


def weighted_sum(weights, values):
    return np.average(values, axis=0, weights=weights)
