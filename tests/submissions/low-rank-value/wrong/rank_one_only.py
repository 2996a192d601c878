# backend: torch
# mistake: none
# style: truncated
def low_rank_value(x, value_down, value_up):
    return (x @ value_down[:, :1]) @ value_up[:1]
