# backend: numpy
# mistake: none
# style: shortcut
def low_rank_value(x, value_down, value_up):
    return x
