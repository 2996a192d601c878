# backend: torch
# mistake: none
# style: rank
def low_rank_value(x, value_down, value_up):
    return (x @ value_down[:, :32]) @ value_up[:32]
