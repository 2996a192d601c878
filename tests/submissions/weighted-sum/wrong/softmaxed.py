# backend: torch
# mistake: none
# breaks: weights-as-given
# style: one step too many
def weighted_sum(weights, values):
    return weights.softmax(0) @ values
