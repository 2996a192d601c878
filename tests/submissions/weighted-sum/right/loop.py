# backend: numpy
# style: loop
import numpy as np


def weighted_sum(weights, values):
    result = np.zeros(values.shape[1], dtype=np.result_type(weights, values))
    for weight, value in zip(weights, values, strict=True):
        result = result + weight * value
    return result
