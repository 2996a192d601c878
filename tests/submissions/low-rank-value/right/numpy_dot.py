# backend: numpy
# style: numpy
import numpy as np

def low_rank_value(x, value_down, value_up):
    return np.dot(np.dot(x, value_down), value_up)
