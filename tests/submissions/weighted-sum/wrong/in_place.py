# backend: numpy
# mistake: input-mutated
# style: in place
def weighted_sum(weights, values):
    values *= weights[:, None]
    return values.sum(axis=0)
