# backend: torch
# mistake: precision-lost
# style: half internally
def weighted_sum(weights, values):
    return (weights[:, None] * values).bfloat16().sum(dim=0).to(values.dtype)
