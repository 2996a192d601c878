# backend: torch
# style: vector times matrix
def weighted_sum(weights, values):
    return weights @ values
