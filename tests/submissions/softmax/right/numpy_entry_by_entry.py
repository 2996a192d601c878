# backend: numpy
# style: loops
import math

import numpy as np


def softmax(x):
    result = np.zeros(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place]
        top = max(row)
        powers = [math.exp(value - top) for value in row]
        total = sum(powers)
        for j in range(len(row)):
            result[place + (j,)] = powers[j] / total
    return result
