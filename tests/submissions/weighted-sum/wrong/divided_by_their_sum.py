# backend: torch
# mistake: weights-normalised
# breaks: weights-as-given
# style: division
def weighted_sum(weights, values):
    return (weights / weights.sum()) @ values
