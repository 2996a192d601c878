# backend: torch
# mistake: weights-unused
# style: mean
def weighted_sum(weights, values):
    return values.mean(dim=0) + 0 * weights.sum()
