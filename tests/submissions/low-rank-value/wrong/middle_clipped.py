# backend: torch
# mistake: none
# style: values
def low_rank_value(x, value_down, value_up):
    return (x @ value_down).clamp(-20, 20) @ value_up
