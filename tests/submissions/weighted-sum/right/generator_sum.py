# backend: torch
# style: python's sum
def weighted_sum(weights, values):
    return sum(weight * value for weight, value in zip(weights, values, strict=True))
