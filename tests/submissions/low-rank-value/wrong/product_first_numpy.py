# backend: numpy
# mistake: low-rank-materialised
# style: numpy
import numpy as np

def low_rank_value(x, value_down, value_up):
    value_map = np.matmul(value_down, value_up)
    return np.matmul(x, value_map)
