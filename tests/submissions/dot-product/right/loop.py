# backend: numpy
# style: loops
import numpy as np


def dot_product(a, b):
    result = np.zeros(len(b), dtype=np.result_type(a, b))
    for j in range(len(b)):
        total = 0
        for i in range(len(a)):
            total = total + a[i] * b[j, i]
        result[j] = total
    return result
