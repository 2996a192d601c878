# backend: numpy
# mistake: projection-transposed
# style: numpy
def low_rank_value(x, value_down, value_up):
    return x @ value_up.T @ value_down.T
