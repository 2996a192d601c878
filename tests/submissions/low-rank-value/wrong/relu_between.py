# backend: torch
# mistake: none
# style: nonlinearity
def low_rank_value(x, value_down, value_up):
    return (x @ value_down).relu() @ value_up
