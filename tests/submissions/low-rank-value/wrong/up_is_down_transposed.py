# backend: torch
# mistake: none
# style: tied
def low_rank_value(x, value_down, value_up):
    return (x @ value_down) @ value_down.T
