# backend: torch
# mistake: none
# breaks: one-per-column
# style: everything added up
def weighted_sum(weights, values):
    return (weights[:, None] * values).sum()
