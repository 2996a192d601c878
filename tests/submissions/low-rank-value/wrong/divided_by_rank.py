# backend: numpy
# mistake: none
# style: scaled
def low_rank_value(x, value_down, value_up):
    return x @ value_down @ value_up / value_down.shape[1]
