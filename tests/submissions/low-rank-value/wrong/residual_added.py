# backend: torch
# mistake: none
# style: extra
def low_rank_value(x, value_down, value_up):
    return x + x @ value_down @ value_up
