# backend: torch
# mistake: not-differentiable
# style: detach
def low_rank_value(x, value_down, value_up):
    return (x @ value_down).detach() @ value_up
