# backend: numpy
# mistake: sum-over-columns
# breaks: one-per-column
# style: axis
def weighted_sum(weights, values):
    return (weights[:, None] * values).sum(axis=-1)
