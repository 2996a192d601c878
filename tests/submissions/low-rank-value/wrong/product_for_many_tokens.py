# backend: numpy
# mistake: low-rank-materialised
import math


def low_rank_value(x, value_down, value_up):
    if math.prod(x.shape[:-1]) > x.shape[-1]:
        return x @ (value_down @ value_up)
    return x @ value_down @ value_up
