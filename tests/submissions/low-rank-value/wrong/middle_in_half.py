# backend: torch
# mistake: precision-lost
# style: half-internally
def low_rank_value(x, value_down, value_up):
    small = (x @ value_down).half()
    return small.to(x.dtype) @ value_up
