# backend: torch
# mistake: precision-lost
# style: half internally
def dot_product(a, b):
    return (a * b).bfloat16().sum(dim=-1).to(a.dtype)
