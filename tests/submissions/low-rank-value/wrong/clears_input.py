# backend: numpy
# mistake: input-mutated
# style: in-place
import numpy as np

def low_rank_value(x, value_down, value_up):
    np.matmul(x @ value_down, value_up, out=x)
    return x.copy()
