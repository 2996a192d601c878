# backend: torch
# mistake: projection-transposed, low-rank-materialised
# style: merged
def low_rank_value(x, value_down, value_up):
    return x @ (value_down @ value_up).T
