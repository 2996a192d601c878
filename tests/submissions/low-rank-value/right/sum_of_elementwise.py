# backend: torch
# style: broadcasting
def low_rank_value(x, value_down, value_up):
    z = (x.unsqueeze(-1) * value_down).sum(-2)          # (..., n, r)
    return (z.unsqueeze(-1) * value_up).sum(-2)
