# backend: torch
# mistake: low-rank-materialised
# breaks: product-of-the-factors
# style: matmul
def low_rank_value(x, value_down, value_up):
    return x @ (value_down @ value_up)
