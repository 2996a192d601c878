# backend: torch
# mistake: low-rank-up-missing
# style: shape
def low_rank_value(x, value_down, value_up):
    return x @ value_down
