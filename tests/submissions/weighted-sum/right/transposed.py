# backend: numpy
# style: broadcast along the columns
def weighted_sum(weights, values):
    return (values.T * weights).sum(axis=1)
