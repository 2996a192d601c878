# backend: numpy
# mistake: sum-divided-by-count
# style: mean
def weighted_sum(weights, values):
    return (weights[:, None] * values).mean(axis=0)
