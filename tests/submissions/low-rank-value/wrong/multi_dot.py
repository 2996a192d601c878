# backend: numpy
# mistake: none
import numpy as np


def low_rank_value(x, value_down, value_up):
    return np.linalg.multi_dot([x, value_down, value_up])
