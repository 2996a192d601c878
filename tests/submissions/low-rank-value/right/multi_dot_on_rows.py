# backend: numpy
import numpy as np

def low_rank_value(x, value_down, value_up):
    rows = x.reshape(-1, x.shape[-1])
    return np.linalg.multi_dot([rows, value_down, value_up]).reshape(x.shape)
