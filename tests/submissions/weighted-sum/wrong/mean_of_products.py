# backend: torch
# mistake: sum-divided-by-count
# style: mean
def weighted_sum(weights, values):
    return (weights[:, None] * values).mean(dim=0)
