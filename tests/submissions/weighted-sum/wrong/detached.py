# backend: torch
# mistake: not-differentiable
# style: detach
def weighted_sum(weights, values):
    return weights.detach() @ values
