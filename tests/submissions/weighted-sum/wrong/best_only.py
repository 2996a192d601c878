# backend: numpy
# mistake: none
# style: hard choice
def weighted_sum(weights, values):
    return values[weights.argmax()].copy()
