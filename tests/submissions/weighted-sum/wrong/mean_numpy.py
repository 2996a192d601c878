# backend: numpy
# mistake: weights-unused
# style: mean
def weighted_sum(weights, values):
    return values.mean(axis=0)
